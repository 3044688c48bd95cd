import { Injectable } from '@nestjs/common';
import { Scheduler } from '../platform/jobs/scheduler';
import { PurgeInvitations } from './commands/purge-invitations';

/** What the tenants module does by the clock. */
@Injectable()
export class TenantsSchedule {
  constructor(timetable: Scheduler) {
    timetable.job('purge-invitations', '41 3 * * *', () => new PurgeInvitations());
  }
}

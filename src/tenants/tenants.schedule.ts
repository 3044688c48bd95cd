import { Injectable } from '@nestjs/common';
import { Scheduler } from '../platform/jobs/scheduler';
import { PurgeInvitations } from './commands/purge-invitations';

/** The scheduled jobs of the tenants module. */
@Injectable()
export class TenantsSchedule {
  constructor(scheduler: Scheduler) {
    scheduler.job('purge-invitations', '41 3 * * *', () => new PurgeInvitations());
  }
}

import { Injectable } from '@nestjs/common';
import { Timetable } from '../platform/timetable';
import { PurgeInvitations } from './commands/purge-invitations';

/** What the tenants module does by the clock. */
@Injectable()
export class TenantsSchedule {
  constructor(timetable: Timetable) {
    timetable.job('purge-invitations', '41 3 * * *', () => new PurgeInvitations());
  }
}

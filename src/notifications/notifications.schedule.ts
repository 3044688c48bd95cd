import { Injectable } from '@nestjs/common';
import { Scheduler } from '../platform/jobs/scheduler';
import { PurgeNotifications } from './commands/purge-notifications';

/** What the notifications module does by the clock. */
@Injectable()
export class NotificationsSchedule {
  constructor(timetable: Scheduler) {
    timetable.job('purge-notifications', '13 4 * * *', () => new PurgeNotifications());
  }
}

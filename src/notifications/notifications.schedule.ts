import { Injectable } from '@nestjs/common';
import { Scheduler } from '../platform/jobs/scheduler';
import { PurgeNotifications } from './commands/purge-notifications';

/** The scheduled jobs of the notifications module. */
@Injectable()
export class NotificationsSchedule {
  constructor(scheduler: Scheduler) {
    scheduler.job('purge-notifications', '13 4 * * *', () => new PurgeNotifications());
  }
}

import { Injectable } from '@nestjs/common';
import { Timetable } from '../platform/timetable';
import { PurgeNotifications } from './commands/purge-notifications';

/** What the notifications module does by the clock. */
@Injectable()
export class NotificationsSchedule {
  constructor(timetable: Timetable) {
    timetable.job('purge-notifications', '13 4 * * *', () => new PurgeNotifications());
  }
}

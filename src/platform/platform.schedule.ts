import { Injectable } from '@nestjs/common';
import { PurgeMailRecords } from './purge-mail-records';
import { Timetable } from './timetable';

/** What the platform does by the clock. */
@Injectable()
export class PlatformSchedule {
  constructor(timetable: Timetable) {
    timetable.job('purge-mail-records', '53 3 * * *', () => new PurgeMailRecords());
  }
}

import { Injectable } from '@nestjs/common';
import { PurgeMailRecords } from './mail/purge-mail-records';
import { Scheduler } from './jobs/scheduler';

/** The scheduled jobs of the platform. */
@Injectable()
export class PlatformSchedule {
  constructor(timetable: Scheduler) {
    timetable.job('purge-mail-records', '53 3 * * *', () => new PurgeMailRecords());
  }
}

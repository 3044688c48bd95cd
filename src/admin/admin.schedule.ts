import { Injectable } from '@nestjs/common';
import { Timetable } from '../platform/timetable';
import { PurgeDeadJobs } from './commands/purge-dead-jobs';
import { PurgeJobCounts } from './commands/purge-job-counts';

/** What the admin module does by the clock. */
@Injectable()
export class AdminSchedule {
  constructor(timetable: Timetable) {
    timetable.job('53 3 * * *', () => new PurgeJobCounts());
    timetable.job('59 3 * * *', () => new PurgeDeadJobs());
  }
}

import { Injectable } from '@nestjs/common';
import { Scheduler } from '../platform/jobs/scheduler';
import { PurgeDeadJobs } from './commands/purge-dead-jobs';
import { PurgeJobCounts } from './commands/purge-job-counts';
import { RowCounts } from './services/row-counts';

/** What the admin module does by the clock. */
@Injectable()
export class AdminSchedule {
  constructor(timetable: Scheduler, rowCounts: RowCounts) {
    timetable.add('fold-row-counts', '*/5 * * * *', () => rowCounts.fold());
    timetable.job('purge-job-counts', '53 3 * * *', () => new PurgeJobCounts());
    timetable.job('purge-dead-jobs', '59 3 * * *', () => new PurgeDeadJobs());
  }
}

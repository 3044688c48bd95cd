import { Injectable } from '@nestjs/common';
import { Scheduler } from '../platform/jobs/scheduler';
import { PurgeDeadJobs } from './commands/purge-dead-jobs';
import { PurgeJobCounts } from './commands/purge-job-counts';
import { RowCounts } from './services/row-counts';

/** The scheduled jobs of the admin module. */
@Injectable()
export class AdminSchedule {
  constructor(scheduler: Scheduler, rowCounts: RowCounts) {
    scheduler.add('fold-row-counts', '*/5 * * * *', () => rowCounts.fold());
    scheduler.job('purge-job-counts', '53 3 * * *', () => new PurgeJobCounts());
    scheduler.job('purge-dead-jobs', '59 3 * * *', () => new PurgeDeadJobs());
  }
}

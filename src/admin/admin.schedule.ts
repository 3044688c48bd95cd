import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { Jobs } from '../platform/jobs';
import { PurgeJobCounts } from './commands/purge-job-counts';

/** What the admin module does by the clock. The job's key makes it once over all instances. */
@Injectable()
export class AdminSchedule {
  constructor(private readonly jobs: Jobs) {}

  @Cron('53 3 * * *')
  purgeDaily(): Promise<void> {
    return this.jobs.later(new PurgeJobCounts(), 'purge-job-counts');
  }
}

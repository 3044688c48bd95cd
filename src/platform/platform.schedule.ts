import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { Jobs } from './jobs';
import { PurgeMailRecords } from './purge-mail-records';

/** What the platform does by the clock. The job's key makes it once over all instances. */
@Injectable()
export class PlatformSchedule {
  constructor(private readonly jobs: Jobs) {}

  @Cron('53 3 * * *')
  purgeDaily(): Promise<void> {
    return this.jobs.later(new PurgeMailRecords(), 'purge-mail-records');
  }
}

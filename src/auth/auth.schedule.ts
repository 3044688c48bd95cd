import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { Jobs } from '../platform/jobs';
import { PurgeExpired } from './commands/purge-expired';
import { PurgeUnverified } from './commands/purge-unverified';

/** What the auth module does by the clock. The job's key makes it once over all instances. */
@Injectable()
export class AuthSchedule {
  constructor(private readonly jobs: Jobs) {}

  @Cron('23 3 * * *')
  purgeDaily(): Promise<void> {
    return this.jobs.later(new PurgeExpired(), 'purge-expired');
  }

  @Cron('53 3 * * *')
  purgeUnverifiedDaily(): Promise<void> {
    return this.jobs.later(new PurgeUnverified(), 'purge-unverified');
  }
}

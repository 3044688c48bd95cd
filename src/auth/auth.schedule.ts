import { Injectable } from '@nestjs/common';
import { Scheduler } from '../platform/jobs/scheduler';
import { PurgeExpired } from './commands/purge-expired';
import { PurgeUnverified } from './commands/purge-unverified';

/** Recurring jobs of the auth module. */
@Injectable()
export class AuthSchedule {
  constructor(scheduler: Scheduler) {
    scheduler.job('purge-expired', '23 3 * * *', () => new PurgeExpired());
    scheduler.job('purge-unverified', '53 3 * * *', () => new PurgeUnverified());
  }
}

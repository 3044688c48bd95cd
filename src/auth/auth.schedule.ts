import { Injectable } from '@nestjs/common';
import { Scheduler } from '../platform/jobs/scheduler';
import { PurgeExpired } from './commands/purge-expired';
import { PurgeUnverified } from './commands/purge-unverified';

/** What the auth module does by the clock. */
@Injectable()
export class AuthSchedule {
  constructor(timetable: Scheduler) {
    timetable.job('purge-expired', '23 3 * * *', () => new PurgeExpired());
    timetable.job('purge-unverified', '53 3 * * *', () => new PurgeUnverified());
  }
}

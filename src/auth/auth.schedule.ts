import { Injectable } from '@nestjs/common';
import { Timetable } from '../platform/timetable';
import { PurgeExpired } from './commands/purge-expired';
import { PurgeUnverified } from './commands/purge-unverified';

/** What the auth module does by the clock. */
@Injectable()
export class AuthSchedule {
  constructor(timetable: Timetable) {
    timetable.job('23 3 * * *', () => new PurgeExpired());
  }

  @Cron('53 3 * * *')
  purgeUnverifiedDaily(): Promise<void> {
    return this.jobs.later(new PurgeUnverified(), 'purge-unverified');
  }
}

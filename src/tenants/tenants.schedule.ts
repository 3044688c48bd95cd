import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { Jobs } from '../platform/jobs';
import { PurgeInvitations } from './commands/purge-invitations';

/** What the tenants module does by the clock. The job's key makes it once over all instances. */
@Injectable()
export class TenantsSchedule {
  constructor(private readonly jobs: Jobs) {}

  @Cron('41 3 * * *')
  purgeDaily(): Promise<void> {
    return this.jobs.later(new PurgeInvitations(), 'purge-invitations');
  }
}

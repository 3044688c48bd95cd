import { Injectable, type OnModuleInit } from '@nestjs/common';
import { securityMailNow } from '../../../auth/auth.api';
import { Clock } from '../../../platform/clock';
import { DomainEvents } from '../../../platform/domain-events';
import { Jobs } from '../../../platform/jobs/jobs';
import { AccountDeletionRequested } from '../../accounts.events';

/** Tells users when their account will be deleted, and how they keep it. */
@Injectable()
export class SendMailOnDeletionRequested implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.on(AccountDeletionRequested, async (requested) => {
      const now = this.clock.now();
      const mails = requested.map(({ userId, deletesAt }) =>
        securityMailNow(userId, 'deletion-planned', now, { due: deletesAt.toISOString() }),
      );
      await this.jobs.enqueueAll(mails.map((command) => ({ command })));
    });
  }
}

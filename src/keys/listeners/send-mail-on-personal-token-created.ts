import { Injectable, type OnModuleInit } from '@nestjs/common';
import { securityMailNow } from '../../auth/auth.api';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { PersonalTokenCreated } from '../keys.events';

/** Informs users of each new personal token, which gives lasting access to their account. */
@Injectable()
export class SendMailOnPersonalTokenCreated implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.on(PersonalTokenCreated, async (created) => {
      for (const { by } of created)
        await this.jobs.enqueue(securityMailNow(by.userId!, 'personal-token-created', this.clock.now()));
    });
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountSecured } from '../../auth/auth.api';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { RevokePersonalTokens } from '../commands/revoke-personal-tokens';

/** "This was not me": an attacker may have created personal tokens. */
@Injectable()
export class EnqueueRevocationOnAccountSecured implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(AccountSecured, async (secured) => {
      for (const { userId } of secured) await this.jobs.enqueue(new RevokePersonalTokens(userId));
    });
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SecondFactorRemoved, SecondFactorReset } from '../../factors/factors.api';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { ResetProofsOfTokens } from '../commands/reset-proofs-of-tokens';

/** Personal tokens lose the proof of a second factor that the account no longer has. */
@Injectable()
export class EnqueueResetOnSecondFactorRemoved implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(SecondFactorRemoved, async (removed) => {
      for (const { actor } of removed) await this.jobs.enqueue(new ResetProofsOfTokens(actor.userId, false));
    });
    this.events.on(SecondFactorReset, async (resets) => {
      for (const { userId } of resets) await this.jobs.enqueue(new ResetProofsOfTokens(userId, true));
    });
  }
}

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { BatchedPurge } from '../../platform/jobs/batched-purge';
import { Job } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import type { Result } from '../../platform/result';
import { PasskeyChallengeRepository } from '../data/passkey-challenge.repository';

/**
 * Deletes expired challenges: every sign-in page requests one, and most are never used. Enqueues
 * itself again while there are more.
 */
@Job('purge-passkey-challenges')
@Schedule('47 * * * *')
export class PurgePasskeyChallenges extends Command<Result> {}

@CommandHandler(PurgePasskeyChallenges)
export class PurgePasskeyChallengesHandler implements ICommandHandler<PurgePasskeyChallenges> {
  constructor(
    private readonly challenges: PasskeyChallengeRepository,
    private readonly purge: BatchedPurge,
    private readonly clock: Clock,
  ) {}

  execute() {
    const now = this.clock.now();
    return this.purge.run(new PurgePasskeyChallenges(), (limit) => this.challenges.purge(now, limit));
  }
}

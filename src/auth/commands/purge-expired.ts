import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AccessRevocationRepository } from '../../http/access/access-revocation.repository';
import { REVOCATION_SECONDS } from '../../http/access/revoked-tokens';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { SessionPurgeRepository } from '../data/session-purge.repository';
import { UsedSignInStateRepository } from '../data/used-sign-in-state.repository';

/** Rows per run: keeps each statement short. */
const BATCH = 5000;
/**
 * How long expired links and sessions are kept, so that using them returns that they have expired
 * (docs/contract.md, One-time tokens).
 */
const EXPIRED_RETENTION_SECONDS = 30 * DAY;
/**
 * How far back a run looks for used tokens among those that are kept. It runs daily; tokens that a
 * longer outage left are deleted after the retention period.
 */
const USED_LOOKBACK_SECONDS = 3 * DAY;

/**
 * Deletes expired one-time tokens, refresh tokens, sessions whose last token is among them, and
 * used states of provider sign-ins. Enqueues itself again while there are more.
 */
@Job('purge-expired')
@Schedule('23 3 * * *')
export class PurgeExpired extends Command<Result> {}

@CommandHandler(PurgeExpired)
export class PurgeExpiredHandler implements ICommandHandler<PurgeExpired> {
  constructor(
    private readonly oneTimeTokens: OneTimeTokenRepository,
    private readonly sessions: SessionPurgeRepository,
    private readonly revocations: AccessRevocationRepository,
    private readonly signInStates: UsedSignInStateRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  execute() {
    const now = this.clock.now();
    const expired = addSeconds(now, -EXPIRED_RETENTION_SECONDS);
    const usedSince = addSeconds(now, -USED_LOOKBACK_SECONDS);
    return this.unitOfWork.transaction(async () => {
      const deleted = [
        await this.oneTimeTokens.purge(expired, BATCH),
        await this.sessions.purge(now, expired, usedSince, BATCH),
        await this.revocations.purge(addSeconds(now, -REVOCATION_SECONDS), BATCH),
        await this.signInStates.purge(now, BATCH),
      ];
      if (deleted.some((count) => count >= BATCH)) await this.jobs.enqueue(new PurgeExpired());
      return ok();
    });
  }
}

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AccessRevocationRepository } from '../../http/access/access-revocation.repository';
import { REVOCATION_SECONDS } from '../../http/access/revoked-tokens';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { BatchedPurge } from '../../platform/jobs/batched-purge';
import { Job } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import type { Result } from '../../platform/result';
import { EmailCodeRepository } from '../data/email-code.repository';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { PostponedNoticeRepository } from '../data/postponed-notice.repository';
import { SessionPurgeRepository, type PurgePosition } from '../data/session-purge.repository';
import { SignInTicketRepository } from '../data/sign-in-ticket.repository';
import { TrustedBrowserRepository } from '../data/trusted-browser.repository';
import { UsedSignInStateRepository } from '../data/used-sign-in-state.repository';

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
 * Deletes expired one-time tokens, refresh tokens, sessions whose last token is among them, used
 * states of provider sign-ins, sign-in tickets, trusted browsers, emailed codes, and events that no
 * security email could report. Enqueues itself again while there are more.
 */
@Job('purge-expired')
@Schedule('23 3 * * *')
export class PurgeExpired extends Command<Result> {
  /** @param usedFrom where the last batch of used refresh tokens ended; null for the first one */
  constructor(readonly usedFrom: PurgePosition | null = null) {
    super();
  }
}

@CommandHandler(PurgeExpired)
export class PurgeExpiredHandler implements ICommandHandler<PurgeExpired> {
  constructor(
    private readonly oneTimeTokens: OneTimeTokenRepository,
    private readonly sessions: SessionPurgeRepository,
    private readonly revocations: AccessRevocationRepository,
    private readonly signInStates: UsedSignInStateRepository,
    private readonly tickets: SignInTicketRepository,
    private readonly trustedBrowsers: TrustedBrowserRepository,
    private readonly emailCodes: EmailCodeRepository,
    private readonly postponedNotices: PostponedNoticeRepository,
    private readonly purge: BatchedPurge,
    private readonly clock: Clock,
  ) {}

  execute({ usedFrom }: PurgeExpired) {
    const now = this.clock.now();
    const expired = addSeconds(now, -EXPIRED_RETENTION_SECONDS);
    const from = usedFrom ?? addSeconds(now, -USED_LOOKBACK_SECONDS);
    let position = usedFrom;
    return this.purge.run(
      () => new PurgeExpired(position),
      (limit) => this.oneTimeTokens.purge(expired, limit),
      (limit) => this.sessions.purgeAll(expired, limit),
      async (limit) => {
        const { found, next } = await this.sessions.purgeUsed(now, from, limit);
        position = next ?? position;
        return found;
      },
      (limit) => this.revocations.purge(addSeconds(now, -REVOCATION_SECONDS), limit),
      (limit) => this.signInStates.purge(now, limit),
      (limit) => this.tickets.purge(addSeconds(now, -DAY), limit), // those of the last day are reported first
      (limit) => this.trustedBrowsers.purge(now, limit),
      (limit) => this.emailCodes.purge(now, limit),
      (limit) => this.postponedNotices.purge(expired, limit),
    );
  }
}

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { Jobs } from '../../platform/jobs/jobs';
import { err, ok, type Result } from '../../platform/result';
import { digestOf } from '../../platform/secret-token';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { UserFailures } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { AuthMetrics } from '../services/auth-metrics';
import { SessionRepository } from '../data/session.repository';
import { SendSecurityMailOnAccountChanged } from '../listeners/send-security-mail-on-account-changed';
import { SessionIssuer } from '../services/session-issuer';
import type { TokenPair } from '../domain/token-pair';

/**
 * Exchanges a refresh token for the next pair. INVALID_TOKEN, TOKEN_EXPIRED, ACCOUNT_DISABLED, or
 * TOKEN_REUSE_DETECTED, which ends the whole session (specification, Refresh token).
 */
export class RefreshSession extends Command<Result<TokenPair>> {
  constructor(readonly refreshToken: string) {
    super();
  }
}

@CommandHandler(RefreshSession)
export class RefreshSessionHandler implements ICommandHandler<RefreshSession> {
  constructor(
    private readonly issuer: SessionIssuer,
    private readonly sessions: SessionRepository,
    private readonly sendSecurityMailOnAccountChanged: SendSecurityMailOnAccountChanged,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly metrics: AuthMetrics,
  ) {}

  /**
   * The good case is one statement, which is its own transaction; only a refusal is looked into.
   */
  async execute({ refreshToken }: RefreshSession): Promise<Result<TokenPair>> {
    const pair = await this.issuer.rotate(refreshToken);
    return pair ? ok(pair) : this.refuse(digestOf(refreshToken));
  }

  private async refuse(tokenHash: Buffer): Promise<Result<never>> {
    const spent = await this.sessions.findRotationFailure(tokenHash);
    if (!spent) return err(AuthFailures.invalidToken);
    if (spent.isDisabled) return err(UserFailures.accountDisabled);
    if (!spent.isRevoked) return err(AuthFailures.tokenExpired);
    await this.unitOfWork.transaction(async () => {
      const ended = await this.sessions.revokeByToken(tokenHash, this.clock.now(), 'token-reuse');
      // once, however often the token is sent
      if (ended > 0) await this.jobs.enqueue(this.sendSecurityMailOnAccountChanged.mail(spent.userId, 'token-reuse'));
      return ok();
    });
    this.metrics.tokenWasReused();
    return err(AuthFailures.tokenReused);
  }
}

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { AuthFailures } from '../auth.failures';
import { RefreshTokenRepository } from '../data/refresh-token.repository';
import type { RefreshTokenRef } from '../domain/refresh-token-text';
import { rotationFailure } from '../domain/rotation-failure';
import type { TokenPair } from '../domain/token-pair';
import { AuthMetrics } from '../services/auth-metrics';
import { TokenRotator, type RotateOptions } from '../services/token-rotator';
import { SessionRevoker } from '../services/session-revoker';
import { SuccessorsNotRead } from '../services/unconfirmed-token-rotations';

/** Seconds after which Redis is asked again. */
const RETRY_SECONDS = 5;

/**
 * Exchanges a refresh token for the next pair. With `tenantId`, the access token is for that tenant
 * if the user is a member; the session's active tenant stays. With a key, the exchange can be
 * repeated, so that a lost response signs nobody out. INVALID_TOKEN; TOKEN_EXPIRED;
 * ACCOUNT_DISABLED; TOKEN_REUSE_DETECTED, which ends the session (docs/specification.md, Refresh
 * token); UNAVAILABLE for a spent token whose exchange may have had no response.
 */
export class RefreshSession extends Command<
  Result<TokenPair, 'ACCOUNT_DISABLED' | 'INVALID_TOKEN' | 'TOKEN_EXPIRED' | 'TOKEN_REUSE_DETECTED' | 'UNAVAILABLE'>
> {
  constructor(
    readonly refreshToken: string,
    readonly options: RotateOptions = {},
  ) {
    super();
  }
}

@CommandHandler(RefreshSession)
export class RefreshSessionHandler implements ICommandHandler<RefreshSession> {
  constructor(
    private readonly rotator: TokenRotator,
    private readonly refreshTokens: RefreshTokenRepository,
    private readonly sessionRevoker: SessionRevoker,
    private readonly unitOfWork: UnitOfWork,
    private readonly metrics: AuthMetrics,
  ) {}

  /** A successful rotation is one statement and a transaction, which others may share. */
  async execute({ refreshToken, options }: RefreshSession) {
    const token = await this.refreshTokens.refOf(refreshToken);
    if (!token) return err(AuthFailures.invalidToken);
    try {
      const pair = await this.rotator.rotate({ ...token, text: refreshToken }, options);
      return pair ? ok(pair) : this.refuse(token);
    } catch (error) {
      if (error instanceof SuccessorsNotRead) return this.refuse(token, false);
      throw error;
    }
  }

  /** @param areSuccessorsKnown if not, a spent token may be one whose response was lost */
  private async refuse(token: RefreshTokenRef, areSuccessorsKnown = true) {
    const failure = rotationFailure(await this.refreshTokens.findRefused(token));
    if (failure !== AuthFailures.tokenReused) return err(failure);
    if (!areSuccessorsKnown) return err({ ...PlatformFailures.unavailable, retryAfter: RETRY_SECONDS });
    await this.unitOfWork.transaction(async () => {
      await this.sessionRevoker.revokeByToken(token, 'token-reuse');
      return ok();
    });
    this.metrics.countTokenReuse();
    return err(failure);
  }
}

import { Injectable } from '@nestjs/common';
import { Clock, addSeconds } from '../../platform/clock';
import { digestOf } from '../../platform/secret-token';
import type { PresentedToken } from '../data/session-records';
import { RefreshTokenRepository } from '../data/refresh-token.repository';
import { refreshTokenText, type RefreshTokenRef } from '../domain/refresh-token-text';
import { REPLAY_SECONDS } from '../domain/session';
import type { TokenPair } from '../domain/token-pair';
import { AuthMetrics } from './auth-metrics';
import { currentDevice } from './current-device';
import { SuccessorTokens } from './successor-tokens';
import { TokenExchanges } from './token-exchanges';
import { TokenIssuer } from './token-issuer';
import { UnconfirmedTokenRotations } from './unconfirmed-token-rotations';

/** How a refresh token is exchanged. */
export interface RotateOptions {
  /**
   * The tenant of the access token; undefined, or without a membership there: the active tenant of
   * the session.
   */
  readonly tenantId?: string;
  /** The client's secret for this exchange, which can be repeated with it. */
  readonly key?: string;
}

/** Exchanges refresh tokens (docs/specification.md, Refresh token). */
@Injectable()
export class TokenRotator {
  constructor(
    private readonly refreshTokens: RefreshTokenRepository,
    private readonly exchanges: TokenExchanges,
    private readonly tokens: TokenIssuer,
    private readonly unconfirmedTokenRotations: UnconfirmedTokenRotations,
    private readonly successors: SuccessorTokens,
    private readonly metrics: AuthMetrics,
    private readonly clock: Clock,
  ) {}

  /**
   * Exchanges a live refresh token for the next pair of its session. A token that was used can be
   * used again with the same key, until its successor is used, and if the database has not
   * confirmed its exchange (see UnconfirmedTokenRotations).
   * @returns undefined if the token is not live
   * @throws SuccessorsNotRead if it may have been exchanged on another instance
   */
  async rotate(
    token: PresentedToken & { readonly text: string },
    { tenantId, key }: RotateOptions = {},
  ): Promise<TokenPair | undefined> {
    const successor = key === undefined ? undefined : this.successors.secretOf(token.text, key);
    const rotated = await this.rotateOnce(token, tenantId, successor);
    if (rotated) return rotated;
    const replayed = successor && (await this.replay(token.id, successor, tenantId));
    return replayed || this.rotateUnconfirmed(token, tenantId);
  }

  /** The pair that was already issued, with a new access token of the same id. */
  private async replay(spentId: string, secret: Buffer, tenantId?: string): Promise<TokenPair | undefined> {
    const now = this.clock.now();
    const since = addSeconds(now, -REPLAY_SECONDS);
    const found = await this.refreshTokens.findSuccessor(spentId, digestOf(secret), since, now, tenantId);
    if (!found) return undefined;
    this.metrics.countRefreshReplay();
    return this.tokens.issuePair(found, found, refreshTokenText(found.tokenId, secret), found.tokenId, false);
  }

  private async rotateUnconfirmed(spent: RefreshTokenRef, tenantId?: string): Promise<TokenPair | undefined> {
    for await (const successor of this.unconfirmedTokenRotations.successorsOf(spent)) {
      const pair = (await this.rotateOnce(successor, tenantId)) ?? (await this.rotateUnconfirmed(successor, tenantId));
      if (pair) return pair;
    }
    return undefined;
  }

  private async rotateOnce(
    spent: PresentedToken,
    tenantId: string | undefined,
    successor?: Buffer,
  ): Promise<TokenPair | undefined> {
    const { token, stored } = this.tokens.newRefreshToken(successor);
    const exchange = () => this.exchanges.apply({ spent, token: stored, device: currentDevice(), tenantId });
    // With a key the client repeats it by the key alone: what is remembered would need none.
    const subject = await (successor ? exchange() : this.unconfirmedTokenRotations.watch(spent, stored, exchange));
    return subject && this.tokens.issuePair(subject, subject, token, stored.id, false);
  }
}

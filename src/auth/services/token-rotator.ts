import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { digestOf } from '../../platform/secret-token';
import { SessionRepository } from '../data/session.repository';
import { REPLAY_SECONDS } from '../domain/session';
import type { TokenPair } from '../domain/token-pair';
import { AuthMetrics } from './auth-metrics';
import { currentDevice } from './current-device';
import { SuccessorTokens } from './successor-tokens';
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
    private readonly sessions: SessionRepository,
    private readonly tokens: TokenIssuer,
    private readonly unconfirmedTokenRotations: UnconfirmedTokenRotations,
    private readonly successors: SuccessorTokens,
    private readonly metrics: AuthMetrics,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Exchanges a live refresh token for the next pair of its session. A token that was used can be
   * used again with the same key, until its successor is used, and if the database has not
   * confirmed its exchange (see UnconfirmedTokenRotations).
   * @returns undefined if the token is not live
   */
  async rotate(refreshToken: string, { tenantId, key }: RotateOptions = {}): Promise<TokenPair | undefined> {
    const successor = key === undefined ? undefined : this.successors.of(refreshToken, key);
    const spentHash = digestOf(refreshToken);
    const rotated = await this.rotateByHash(spentHash, tenantId, successor);
    if (rotated) return rotated;
    const replayed = successor && (await this.replay(successor, tenantId));
    return replayed || this.rotateUnconfirmed(spentHash, tenantId);
  }

  /** The pair that was already issued, with a new access token of the same id. */
  private async replay(refreshToken: string, tenantId?: string): Promise<TokenPair | undefined> {
    const now = this.clock.now();
    const since = addSeconds(now, -REPLAY_SECONDS);
    const found = await this.sessions.findUnused(digestOf(refreshToken), since, now, tenantId);
    if (!found) return undefined;
    this.metrics.countRefreshReplay();
    return this.tokens.issuePair(found, found, refreshToken, found.tokenId, false);
  }

  private async rotateUnconfirmed(spentHash: Buffer, tenantId?: string): Promise<TokenPair | undefined> {
    for (const successorHash of await this.unconfirmedTokenRotations.successorsOf(spentHash)) {
      const pair =
        (await this.rotateByHash(successorHash, tenantId)) ?? (await this.rotateUnconfirmed(successorHash, tenantId));
      if (pair) return pair;
    }
    return undefined;
  }

  private async rotateByHash(
    spentHash: Buffer,
    tenantId: string | undefined,
    successor?: string,
  ): Promise<TokenPair | undefined> {
    const { token, stored } = this.tokens.newRefreshToken(successor);
    const maxSeconds = this.settings.sessionMaxDays * DAY;
    const rotate = () =>
      this.sessions.rotate(spentHash, stored, this.clock.now(), maxSeconds, currentDevice(), tenantId);
    // With a key the client repeats it by the key alone: what is remembered would need none.
    const subject = await (successor
      ? rotate()
      : this.unconfirmedTokenRotations.watch(spentHash, stored.tokenHash, rotate));
    return subject && this.tokens.issuePair(subject, subject, token, stored.id, false);
  }
}

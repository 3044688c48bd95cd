import { Injectable } from '@nestjs/common';
import { RevokedTokens } from '../../http/access/revoked-tokens';
import { Clock } from '../../platform/clock';
import { DomainEvents, type ActorRef } from '../../platform/domain-events';
import { SessionRevoked, TokenReused } from '../auth.events';
import { PendingAccessRepository } from '../data/pending-access.repository';
import { SessionRevocationRepository } from '../data/session-revocation.repository';
import { TrustedBrowserRepository } from '../data/trusted-browser.repository';
import type { RefreshTokenRef } from '../domain/refresh-token-text';
import type { RevocationReason, RevokedSession } from '../domain/session';
import { KnownDevices } from './known-devices';

/** Above this number of access tokens, all access tokens of the user are revoked instead. */
const MAX_REVOKED_TOKENS = 200;

/**
 * Revokes sessions, together with their refresh and access tokens. Call it inside a transaction.
 * Each method returns the number of sessions that it revoked.
 */
@Injectable()
export class SessionRevoker {
  constructor(
    private readonly sessions: SessionRevocationRepository,
    private readonly pendingAccess: PendingAccessRepository,
    private readonly trustedBrowsers: TrustedBrowserRepository,
    private readonly devices: KnownDevices,
    private readonly revokedTokens: RevokedTokens,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /**
   * Revokes the session that a refresh token belongs to. Unless its user signs out, no
   * browser stays trusted: the session does not know in which one it was opened.
   */
  async revokeByToken(token: RefreshTokenRef, reason: RevocationReason): Promise<number> {
    const revoked = await this.sessions.revokeByToken(token, this.clock.now());
    if (reason !== 'logout') for (const { userId } of revoked) await this.trustedBrowsers.removeAll(userId);
    return this.complete(revoked, reason);
  }

  /**
   * Revokes one session of a user. Only the browser of the request stays trusted.
   * @param by the actor, if it is not the user
   * @returns 0 if the user has no such live session
   */
  async revokeOne(userId: string, sessionId: string, reason: RevocationReason, by?: ActorRef): Promise<number> {
    const revoked = await this.sessions.revokeOne(userId, sessionId, this.clock.now());
    if (revoked.length > 0) await this.trustedBrowsers.removeAll(userId, by ? undefined : this.devices.idFor(userId));
    return this.complete(revoked, reason, by);
  }

  /**
   * Revokes all sessions of a user, with unused links (docs/contract.md, One-time tokens), sign-ins
   * that wait for a second factor, and trusted browsers.
   * @param by the actor, if it is not the user
   */
  async revokeAll(userId: string, reason: RevocationReason, by?: ActorRef): Promise<number> {
    await this.pendingAccess.withdraw(userId);
    return this.complete(await this.sessions.revokeAll(userId, this.clock.now()), reason, by);
  }

  /** Like `revokeAll`, of the sessions that began without proof of the mailbox. */
  async revokeUnproven(userId: string, reason: RevocationReason): Promise<number> {
    await this.pendingAccess.withdraw(userId);
    return this.complete(await this.sessions.revokeUnproven(userId, this.clock.now()), reason);
  }

  /**
   * Like `revokeAll`, except for the session that this access token was issued in, and its browser.
   */
  async revokeOthers(userId: string, tokenId: string, reason: RevocationReason): Promise<number> {
    await this.pendingAccess.withdraw(userId, this.devices.idFor(userId));
    return this.complete(await this.sessions.revokeOthers(userId, tokenId, this.clock.now()), reason);
  }

  private async complete(
    sessions: readonly RevokedSession[],
    reason: RevocationReason,
    by?: ActorRef,
  ): Promise<number> {
    if (sessions.length === 0) return 0;
    const tokenIds = await this.sessions.accessTokensOf(
      sessions.map(({ id }) => id),
      this.clock.now(),
      MAX_REVOKED_TOKENS + 1,
    );
    await this.revokedTokens.revoke(tokenIds.length > MAX_REVOKED_TOKENS ? [sessions[0].userId] : tokenIds);
    await this.events.publish(
      ...sessions.map((session) =>
        reason === 'token-reuse' ? new TokenReused(session) : new SessionRevoked(session, reason, by),
      ),
    );
    return sessions.length;
  }
}

import { Injectable } from '@nestjs/common';
import { EventEmitter } from 'node:events';
import { Clock, addSeconds, MINUTE } from '../../platform/clock';
import { DatabaseChannels } from '../../platform/database/listen-notify';
import { momentOf } from '../../platform/ids';
import { AccessRevocation } from './domain/access-revocation';
import { AccessRevocationRepository } from './access-revocation.repository';
import { ACCESS_TOKEN_SECONDS } from './access-tokens';
import { isPerson, type Caller } from './actor';

/** The channel on which instances announce revocations. */
const CHANNEL = 'tenantry_revocations';
/**
 * Seconds that a revocation is kept: then every token it concerns has expired, even by a clock that
 * is a minute late.
 */
export const REVOCATION_SECONDS = ACCESS_TOKEN_SECONDS + MINUTE;
/** Seconds by which consecutive reads overlap, for revocations that were committed late. */
const OVERLAP_SECONDS = 30;

/**
 * The key of a user's access to one tenant: removing the member revokes tokens issued until then.
 */
export const memberKey = (userId: string, tenantId: string) => `${userId}/${tenantId}`;

/** The key of the personal tokens of a tenant: they are read again, and ended by a policy. */
export const personalTokensKey = (tenantId: string) => `tokens/${tenantId}`;

/** Everything that revokes the token of a caller, if it was issued before. */
export function revocationKeysOf({ principal, tokenId, userId, tenantId, impersonatorId }: Caller): string[] {
  const member = userId && tenantId && memberKey(userId, tenantId);
  const tokens = principal.kind === 'token' && tenantId ? personalTokensKey(tenantId) : null;
  const keys = [tokens, principal.id, tokenId, userId, impersonatorId, tenantId, member];
  return [...new Set(keys.filter((key) => key !== null))];
}

/**
 * Revoked access tokens of all instances, in memory, so that a request costs no database message. A
 * key is the jti of a token or the id of a deleted tenant, which are revoked permanently, or a user
 * or a user in a tenant (`memberKey`), which revokes the tokens issued until then; for API keys
 * also a service account or the personal tokens of a tenant, which are then read again. A user's
 * tokens include those with which they impersonate others. Revoking announces the keys with NOTIFY
 * in the same transaction. An instance that cannot LISTEN reads them from the table.
 */
@Injectable()
export class RevokedTokens {
  /** The time of revocation by key, in milliseconds, oldest first. */
  private readonly revoked = new Map<string, number>();
  private readonly revocations = new EventEmitter().setMaxListeners(0);
  private readUntil = new Date(0);
  private polling = false;

  constructor(
    channels: DatabaseChannels,
    private readonly storedRevocations: AccessRevocationRepository,
    private readonly clock: Clock,
  ) {
    channels.listen(CHANNEL, {
      onNotification: (payload) => this.add(payload.split(','), this.clock.now()),
      onConnected: () => this.read(),
      poll: () => {
        void this.poll();
      },
    });
  }

  /** Whether the caller's token is revoked. */
  includes({ tokenId, userId, tenantId, impersonatorId }: Caller): boolean {
    const { revoked } = this;
    if (revoked.size === 0) return false;
    if (revoked.has(tokenId) || (tenantId !== null && revoked.has(tenantId))) return true;
    const until = (key: string | null) => (key !== null && revoked.get(key)) || 0;
    const ended = Math.max(
      until(userId),
      until(impersonatorId),
      until(tenantId && userId && memberKey(userId, tenantId)),
    );
    return ended > 0 && momentOf(tokenId) <= ended;
  }

  /**
   * When one of these keys was revoked last, in milliseconds; 0: not in the last 16 minutes. What
   * was read from the database before may no longer hold.
   */
  lastRevokedAt(keys: readonly string[]): number {
    return this.revoked.size === 0 ? 0 : Math.max(...keys.map((key) => this.revoked.get(key) ?? 0));
  }

  /**
   * Calls `listener` when the caller's token is revoked, or now if it is already. For an API key,
   * which was just read, anything that is announced about it from now on counts.
   * @returns a function that unsubscribes
   */
  whenRevoked(caller: Caller, listener: () => void): () => void {
    const keys = revocationKeysOf(caller);
    const isKey = !isPerson(caller);
    const check = () => {
      if (isKey || this.includes(caller)) listener();
    };
    for (const key of keys) this.revocations.on(key, check);
    if (!isKey) check();
    return () => keys.forEach((key) => this.revocations.off(key, check));
  }

  /**
   * Revokes at most 200 keys on every instance when the running transaction commits. A payload
   * holds 8,000 bytes.
   */
  async revoke(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.storedRevocations.add(AccessRevocation.of(keys, this.clock.now()), CHANNEL);
  }

  /** Runs at start and whenever notifications may have been missed. */
  private async read(): Promise<void> {
    const now = this.clock.now();
    const oldest = addSeconds(now, -REVOCATION_SECONDS);
    const unread = addSeconds(this.readUntil, -OVERLAP_SECONDS);
    const rows = await this.storedRevocations.listSince(unread > oldest ? unread : oldest);
    for (const { keys, revokedAt } of rows) this.add(keys, revokedAt);
    this.readUntil = now;
  }

  /** Runs while there is no LISTEN connection; retried while the database is unreachable. */
  private async poll(): Promise<void> {
    if (this.polling) return;
    this.polling = true;
    await this.read().catch(() => undefined);
    this.polling = false;
  }

  private add(keys: readonly string[], at: Date): void {
    this.forget();
    for (const key of keys) {
      const latest = Math.max(this.revoked.get(key) ?? 0, at.getTime());
      this.revoked.delete(key); // the map is in the order of the times
      this.revoked.set(key, latest);
      this.revocations.emit(key);
    }
  }

  /** Removes revocations that can no longer match a valid token. */
  private forget(): void {
    const past = addSeconds(this.clock.now(), -REVOCATION_SECONDS).getTime();
    for (const [key, at] of this.revoked) {
      if (at > past) return;
      this.revoked.delete(key);
    }
  }
}

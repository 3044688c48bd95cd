import { Injectable } from '@nestjs/common';
import { EventEmitter } from 'node:events';
import { Clock, addSeconds, MINUTE } from '../../platform/clock';
import { Database } from '../../platform/database/database';
import { DatabaseChannels } from '../../platform/database/listen-notify';
import { momentOf, newIdAt } from '../../platform/ids';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { ACCESS_TOKEN_SECONDS } from './access-tokens';
import type { Actor } from './actor';

/** The channel on which instances tell each other which access tokens have ended. */
const CHANNEL = 'tenantry_revocations';
/**
 * So long a revocation matters: afterwards every token that it concerns has expired, also by a
 * clock that is a minute late.
 */
export const REVOCATION_SECONDS = ACCESS_TOKEN_SECONDS + MINUTE;
/** How far a reading goes back behind the one before, in seconds, for what was committed late. */
const OVERLAP_SECONDS = 30;

/**
 * The access of a person to one tenant: it ends when they are removed, and begins anew with tokens
 * of later.
 */
export const memberKey = (userId: string, tenantId: string) => `${userId}/${tenantId}`;

/**
 * The access tokens that ended before their time, of all instances, in memory: a request costs no
 * message to the database. A key is the jti of a token or the id of a deleted tenant, which end for
 * ever; or a person, or a person in a tenant (`memberKey`), which end the tokens minted until then;
 * a person's are also those with which they act as somebody else. Whoever revokes announces the
 * keys in the same transaction (NOTIFY); while an instance cannot hear that, it reads them from the
 * table.
 */
@Injectable()
export class RevokedTokens {
  /** Keys, and when each was revoked, in milliseconds; the oldest first. */
  private readonly revoked = new Map<string, number>();
  private readonly told = new EventEmitter().setMaxListeners(0);
  private readUntil = new Date(0);
  private polling = false;

  constructor(
    channels: DatabaseChannels,
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    channels.listen(CHANNEL, {
      hear: (payload) => this.add(payload.split(','), this.clock.now()),
      missed: () => this.read(),
      poll: () => void this.poll(),
    });
  }

  /** Whether this actor's token has ended, although it has not expired. */
  includes({ tokenId, userId, tenantId, impersonatorId }: Actor): boolean {
    const { revoked } = this;
    if (revoked.size === 0) return false;
    if (revoked.has(tokenId) || (tenantId !== null && revoked.has(tenantId))) return true;
    const until = (key: string | null) => (key !== null && revoked.get(key)) || 0;
    const ended = Math.max(until(userId), until(impersonatorId), until(tenantId && memberKey(userId, tenantId)));
    return ended > 0 && momentOf(tokenId) <= ended;
  }

  /**
   * Has `listener` told once this actor's token has ended, now if it has already.
   * @returns to stop that
   */
  whenRevoked(actor: Actor, listener: () => void): () => void {
    const { tokenId, userId, tenantId, impersonatorId } = actor;
    const people = impersonatorId === null ? [userId] : [userId, impersonatorId];
    const keys = [tokenId, ...people, ...(tenantId === null ? [] : [tenantId, memberKey(userId, tenantId)])];
    const look = () => void (this.includes(actor) && listener());
    for (const key of keys) this.told.on(key, look);
    look();
    return () => keys.forEach((key) => this.told.off(key, look));
  }

  /**
   * Ends tokens by at most 200 keys, on every instance, when the running transaction commits; a
   * payload holds 8,000 bytes.
   */
  async revoke(keys: readonly string[]): Promise<void> {
    const now = this.clock.now();
    const sql = `
      INSERT INTO access_revocations (id, revoked_at, keys) VALUES ($1, $2, $3)
      RETURNING pg_notify($4, array_to_string(keys, ','))`;
    if (keys.length > 0) await this.unitOfWork.query(sql, [newIdAt(now), now, keys, CHANNEL]);
  }

  /** At the start, and whenever announcements may have been missed. */
  private async read(): Promise<void> {
    const now = this.clock.now();
    const oldest = addSeconds(now, -REVOCATION_SECONDS);
    const unread = addSeconds(this.readUntil, -OVERLAP_SECONDS);
    const sql =
      'SELECT keys, revoked_at AS "revokedAt" FROM access_revocations WHERE revoked_at > $1 ORDER BY revoked_at';
    const rows = await this.database.query<{ keys: string[]; revokedAt: Date }>(sql, [
      unread > oldest ? unread : oldest,
    ]);
    for (const { keys, revokedAt } of rows) this.add(keys, revokedAt);
    this.readUntil = now;
  }

  /** While nothing can be heard. A database that does not answer either is asked again. */
  private async poll(): Promise<void> {
    if (this.polling) return;
    this.polling = true;
    await this.read().catch(() => undefined);
    this.polling = false;
  }

  private add(keys: readonly string[], at: Date): void {
    this.forget();
    for (const key of keys) {
      this.revoked.set(key, Math.max(this.revoked.get(key) ?? 0, at.getTime()));
      this.told.emit(key);
    }
  }

  /** What no token can be concerned by any more. */
  private forget(): void {
    const past = addSeconds(this.clock.now(), -REVOCATION_SECONDS).getTime();
    for (const [key, at] of this.revoked) {
      if (at > past) return;
      this.revoked.delete(key);
    }
  }
}

import { Injectable } from '@nestjs/common';
import { Clock, addSeconds } from '../../platform/clock';
import { err, ok, type Result } from '../../platform/result';
import { digestOf, newSecretToken } from '../../platform/secret-token';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { OneTimeToken, OPENING_PURPOSES, PURPOSES, type Purpose } from '../domain/one-time-token';

/** The new one is not seen by the rest of its statement: all but the newest $6 of the others go. */
const ISSUE = `
  WITH oldest AS (
    SELECT token_hash FROM one_time_tokens WHERE user_id = $2 AND purpose = $3 AND expires_at > $5
      ORDER BY expires_at DESC OFFSET $6
  ), withdrawn AS (
    DELETE FROM one_time_tokens WHERE token_hash IN (SELECT token_hash FROM oldest)
  )
  INSERT INTO one_time_tokens (token_hash, user_id, purpose, expires_at, registration_id) VALUES ($1, $2, $3, $4, $7)`;

/**
 * Two links of one person are used one after the other, because the account is locked first; the
 * second then finds its own gone.
 */
const CONSUME = `
  WITH owner AS (
    SELECT id FROM users
     WHERE id = (SELECT user_id FROM one_time_tokens WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3)
       FOR UPDATE
  ), withdrawn AS (
    DELETE FROM one_time_tokens t USING owner
     WHERE t.user_id = owner.id AND t.purpose = $2 AND t.expires_at > $3
    RETURNING t.token_hash, t.user_id, t.registration_id
  )
  SELECT user_id AS "userId", registration_id AS "registrationId" FROM withdrawn WHERE token_hash = $1`;

/** Whose token it is. */
export type TokenOwner = Pick<OneTimeToken, 'userId' | 'registrationId'>;

/** Mailed one-time tokens; only their SHA-256 is stored. */
@Injectable()
export class OneTimeTokenRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * A new token for this person and purpose, of a registration of theirs where it is for one. The
   * newest few live side by side (PURPOSES).
   */
  async issue(userId: string, purpose: Purpose, registrationId: string | null = null): Promise<string> {
    const token = newSecretToken();
    const now = this.clock.now();
    const { seconds, atATime } = PURPOSES[purpose];
    await this.unitOfWork.query(ISSUE, [
      digestOf(token),
      userId,
      purpose,
      addSeconds(now, seconds),
      now,
      atATime - 1,
      registrationId,
    ]);
    return token;
  }

  /**
   * Uses a token up, and withdraws the others of its person and purpose; in a transaction, which
   * locks the account. Of two at once, one succeeds.
   * @returns its owner, or the purpose's INVALID or EXPIRED
   */
  async consume(purpose: Purpose, token: string): Promise<Result<TokenOwner>> {
    const [used] = await this.unitOfWork.query<TokenOwner>(CONSUME, [digestOf(token), purpose, this.clock.now()]);
    if (used) return ok(used);
    const seen = await this.peek(purpose, token);
    return seen.ok ? err(PURPOSES[purpose].invalid) : seen;
  }

  /** Whose token it is, without using it up. */
  async peek(purpose: Purpose, token: string): Promise<Result<TokenOwner>> {
    const found = await this.unitOfWork.manager.findOneBy(OneTimeToken, { purpose, tokenHash: digestOf(token) });
    if (!found) return err(PURPOSES[purpose].invalid);
    return found.expiresAt > this.clock.now() ? ok(found) : err(PURPOSES[purpose].expired);
  }

  /** Takes one token back: the mail that carries it could not be sent. */
  async withdraw(token: string): Promise<void> {
    await this.unitOfWork.query('DELETE FROM one_time_tokens WHERE token_hash = $1', [digestOf(token)]);
  }

  /** Takes back every open link of a person that opens the account. */
  async withdrawAll(userId: string): Promise<void> {
    await this.unitOfWork.query(
      'DELETE FROM one_time_tokens WHERE user_id = $1 AND expires_at > $2 AND purpose = ANY($3)',
      [userId, this.clock.now(), OPENING_PURPOSES],
    );
  }
}

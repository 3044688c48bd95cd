import { Injectable } from '@nestjs/common';
import { Clock, addSeconds } from '../../platform/clock';
import { err, ok, type Result } from '../../platform/result';
import { digestOf, newSecretToken } from '../../platform/secret-token';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { OneTimeToken, ACCESS_PURPOSES, PURPOSES, type Purpose } from '../domain/one-time-token';

/**
 * The rest of the statement does not see the new token: it deletes all but the newest $6 others.
 */
const ISSUE = `
  WITH oldest AS (
    SELECT token_hash FROM one_time_tokens WHERE user_id = $2 AND purpose = $3 AND expires_at > $5
      ORDER BY expires_at DESC OFFSET $6
  ), withdrawn AS (
    DELETE FROM one_time_tokens WHERE token_hash IN (SELECT token_hash FROM oldest)
  )
  INSERT INTO one_time_tokens (token_hash, user_id, purpose, expires_at, registration_id) VALUES ($1, $2, $3, $4, $7)`;

/**
 * Locking the account first serializes two links of one user: the second one then finds its token
 * deleted.
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

/** The owner of a token. */
export type TokenOwner = Pick<OneTimeToken, 'userId' | 'registrationId'>;

/** One-time tokens in mails. Only their SHA-256 is stored. */
@Injectable()
export class OneTimeTokenRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Issues a token. The newest tokens of a user and purpose are valid side by side (see PURPOSES).
   * @param registrationId the registration that the token verifies or cancels
   */
  async issue(userId: string, purpose: Purpose, registrationId: string | null = null): Promise<string> {
    const token = newSecretToken();
    const now = this.clock.now();
    const { seconds, maxActive } = PURPOSES[purpose];
    await this.unitOfWork.query(ISSUE, [
      digestOf(token),
      userId,
      purpose,
      addSeconds(now, seconds),
      now,
      maxActive - 1,
      registrationId,
    ]);
    return token;
  }

  /**
   * Consumes a token and withdraws the others of the same user and purpose; inside a transaction,
   * which locks the account. Of two concurrent calls, one succeeds.
   * @returns the owner, or the INVALID or EXPIRED failure of the purpose
   */
  async consume(purpose: Purpose, token: string): Promise<Result<TokenOwner>> {
    const [owner] = await this.unitOfWork.query<TokenOwner>(CONSUME, [digestOf(token), purpose, this.clock.now()]);
    if (owner) return ok(owner);
    const found = await this.peek(purpose, token);
    return found.ok ? err(PURPOSES[purpose].invalid) : found;
  }

  /** The owner of a token, without consuming it. */
  async peek(purpose: Purpose, token: string): Promise<Result<TokenOwner>> {
    const found = await this.unitOfWork.manager.findOneBy(OneTimeToken, { purpose, tokenHash: digestOf(token) });
    if (!found) return err(PURPOSES[purpose].invalid);
    return found.expiresAt > this.clock.now() ? ok(found) : err(PURPOSES[purpose].expired);
  }

  /** Withdraws one token, because its mail could not be sent. */
  async withdraw(token: string): Promise<void> {
    await this.unitOfWork.query('DELETE FROM one_time_tokens WHERE token_hash = $1', [digestOf(token)]);
  }

  /** Withdraws all valid tokens of a user that give access to the account. */
  async withdrawAll(userId: string): Promise<void> {
    await this.unitOfWork.query(
      'DELETE FROM one_time_tokens WHERE user_id = $1 AND expires_at > $2 AND purpose = ANY($3)',
      [userId, this.clock.now(), ACCESS_PURPOSES],
    );
  }
}

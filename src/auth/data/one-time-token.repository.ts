import { Injectable } from '@nestjs/common';
import { In, LessThan, MoreThan } from 'typeorm';
import { Clock } from '../../platform/clock';
import { entityOf } from '../../platform/database/entity-of';
import { EntityRepository } from '../../platform/database/entity-repository';
import { columnsOf } from '../../platform/database/select-list';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { err, ok, type Err, type Failure, type Result } from '../../platform/result';
import { digestOf, newSecretToken } from '../../platform/secret-token';
import {
  ACCESS_PURPOSES,
  MAX_CODE_ATTEMPTS,
  OneTimeToken,
  PURPOSES,
  type Purpose,
  type TokenDetails,
  type TokenFailureCode,
} from '../domain/one-time-token';

/**
 * Locking the account first serializes two links of one user: the second one then finds its token
 * deleted. A link that was sent to an earlier address of the account finds none: its email may have
 * been written while the address was changed.
 */
const CONSUME = `
  WITH token AS (
    SELECT user_id, mailed_to FROM one_time_tokens WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3
  ), owner AS (
    SELECT id FROM users
     WHERE id = (SELECT user_id FROM token) AND email = coalesce((SELECT mailed_to FROM token), email)
       FOR UPDATE
  ), revoked AS (
    DELETE FROM one_time_tokens t USING owner
     WHERE t.user_id = owner.id AND t.purpose = $2 AND t.expires_at > $3
    RETURNING t.*
  )
  SELECT ${columnsOf(OneTimeToken, 'w')} FROM revoked w WHERE w.token_hash = $1`;

/** One-time tokens in emails. Only their SHA-256 is stored. */
@Injectable()
export class OneTimeTokenRepository extends EntityRepository<OneTimeToken> {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    super(OneTimeToken, unitOfWork);
  }

  /**
   * Issues a token. The newest tokens of a user and purpose are valid side by side (see PURPOSES);
   * it displaces older ones.
   */
  async issue(userId: string, purpose: Purpose, details: TokenDetails = {}): Promise<string> {
    const text = newSecretToken();
    const now = this.clock.now();
    const displaced = await this.rows.find({
      where: { userId, purpose, expiresAt: MoreThan(now) },
      order: { expiresAt: 'DESC' },
      skip: PURPOSES[purpose].maxActive - 1,
    });
    await this.insert(OneTimeToken.issue(text, userId, purpose, details, now));
    if (displaced.length > 0) await this.rows.delete({ tokenHash: In(displaced.map(({ tokenHash }) => tokenHash)) });
    return text;
  }

  /**
   * Consumes a token and revokes the others of the same user and purpose; inside a transaction,
   * which locks the account. Of two concurrent calls, one succeeds.
   * @returns the token, or the INVALID or EXPIRED failure of the purpose
   */
  consume<P extends Purpose>(purpose: P, token: string): Promise<Result<OneTimeToken, TokenFailureCode<P>>> {
    return this.consumeByHash(purpose, digestOf(token));
  }

  /** The same by the hash of the token. */
  async consumeByHash<P extends Purpose>(
    purpose: P,
    tokenHash: Buffer,
  ): Promise<Result<OneTimeToken, TokenFailureCode<P>>> {
    const [row] = await this.unitOfWork.query(CONSUME, [tokenHash, purpose, this.clock.now()]);
    if (row) return ok(entityOf(OneTimeToken, row));
    const found = await this.peekByHash(purpose, tokenHash);
    return found.ok ? failed(purpose, 'invalid') : found;
  }

  /**
   * Counts an attempt to use a code in place of a sign-in link, before codes are compared.
   * @returns the open links that this browser asked for, unless five codes were tried
   */
  countCodeAttempt(userId: string, browserHash: Buffer): Promise<OneTimeToken[]> {
    const isOpen = {
      userId,
      purpose: 'magic-link' as const,
      browserHash,
      codeAttempts: LessThan(MAX_CODE_ATTEMPTS),
      expiresAt: MoreThan(this.clock.now()),
    };
    return this.updateBy(isOpen, { codeAttempts: () => 'code_attempts + 1' });
  }

  /** A token, without consuming it. */
  peek<P extends Purpose>(purpose: P, token: string): Promise<Result<OneTimeToken, TokenFailureCode<P>>> {
    return this.peekByHash(purpose, digestOf(token));
  }

  private async peekByHash<P extends Purpose>(
    purpose: P,
    tokenHash: Buffer,
  ): Promise<Result<OneTimeToken, TokenFailureCode<P>>> {
    const found = await this.rows.findOneBy({ purpose, tokenHash });
    if (!found) return failed(purpose, 'invalid');
    return found.checkExpiry(this.clock.now()).ok ? ok(found) : failed(purpose, 'expired');
  }

  /** Revokes one token, because its email could not be sent. */
  async revoke(token: string): Promise<void> {
    await this.rows.delete({ tokenHash: digestOf(token) });
  }

  /** Revokes all valid tokens of a user that give access to the account. */
  async revokeAll(userId: string): Promise<void> {
    await this.rows.delete({ userId, expiresAt: MoreThan(this.clock.now()), purpose: In(ACCESS_PURPOSES) });
  }

  /** Deletes the tokens that expired until a time. @returns how many were deleted */
  purge(until: Date, limit: number): Promise<number> {
    return this.deleteUpTo('expiresAt', until, limit);
  }
}

const failed = <P extends Purpose>(purpose: P, how: 'invalid' | 'expired'): Err<TokenFailureCode<P>> =>
  err(PURPOSES[purpose][how] as Failure<TokenFailureCode<P>>);

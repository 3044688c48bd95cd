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
       AND (link_used_at IS NULL OR $4)
  ), owner AS (
    SELECT id FROM users
     WHERE id = (SELECT user_id FROM token) AND email = coalesce((SELECT mailed_to FROM token), email)
       FOR UPDATE
  ), revoked AS (
    DELETE FROM one_time_tokens t USING owner
     WHERE t.user_id = owner.id AND t.purpose = $2 AND t.expires_at > $3
    RETURNING t.*
  )
  SELECT ${columnsOf(OneTimeToken, 'w')} FROM revoked w WHERE EXISTS (SELECT FROM revoked WHERE token_hash = $1)
   ORDER BY w.token_hash = $1 DESC`;

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
   * Issues a token. It displaces no other one, because a stranger may have asked for it. The limits
   * of the emails that carry them bound their number.
   */
  async issue(userId: string, purpose: Purpose, details: TokenDetails = {}): Promise<string> {
    const text = newSecretToken();
    await this.insert(OneTimeToken.issue(text, userId, purpose, details, this.clock.now()));
    return text;
  }

  /**
   * Consumes a token and revokes the others of the same user and purpose; inside a transaction,
   * which locks the account. Of two concurrent calls, one succeeds.
   * @returns the token, or the INVALID or EXPIRED failure of the purpose
   */
  async consume<P extends Purpose>(purpose: P, token: string): Promise<Result<OneTimeToken, TokenFailureCode<P>>> {
    const revoked = await this.consumeWithOthers(purpose, token);
    return revoked.ok ? ok(revoked.value[0]) : revoked;
  }

  /** The same. @returns the token first, then the others that were revoked with it */
  async consumeWithOthers<P extends Purpose>(
    purpose: P,
    token: string,
  ): Promise<Result<readonly [OneTimeToken, ...OneTimeToken[]], TokenFailureCode<P>>> {
    const [consumed, ...others] = await this.consumeAll(purpose, digestOf(token), false);
    if (consumed) return ok([consumed, ...others]);
    const found = await this.peek(purpose, token);
    return found.ok ? failed(purpose, 'invalid') : found;
  }

  /**
   * Consumes a sign-in link by its code, with all other links and codes of the user.
   * @returns undefined if it was used, withdrawn or has expired
   */
  async consumeByCode(tokenHash: Buffer): Promise<OneTimeToken | undefined> {
    return (await this.consumeAll('magic-link', tokenHash, true))[0];
  }

  /** Stores the codes that outlive their links. */
  async keepCodes(codes: readonly OneTimeToken[]): Promise<void> {
    if (codes.length > 0) await this.rows.insert([...codes]);
  }

  private async consumeAll(purpose: Purpose, tokenHash: Buffer, isByCode: boolean): Promise<OneTimeToken[]> {
    const rows = await this.unitOfWork.query(CONSUME, [tokenHash, purpose, this.clock.now(), isByCode]);
    return rows.map((row) => entityOf(OneTimeToken, row));
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
  async peek<P extends Purpose>(purpose: P, token: string): Promise<Result<OneTimeToken, TokenFailureCode<P>>> {
    const found = await this.rows.findOneBy({ purpose, tokenHash: digestOf(token) });
    if (!found || found.linkUsedAt) return failed(purpose, 'invalid');
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

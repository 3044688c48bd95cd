import { Injectable } from '@nestjs/common';
import { Clock, addSeconds } from '../clock';
import { UnitOfWork } from '../database/unit-of-work';
import { Log } from '../observability/log';
import type { IdempotencyClaim, SealedAnswer } from './idempotency-claim';

/** A key of a caller and the request that came with it, as hashes. */
export interface KeyedRequest {
  readonly id: Buffer;
  readonly requestHash: Buffer;
}

/** What a request with a key has found. */
export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly since: Date; readonly until: Date }
  | { readonly kind: 'answered'; readonly answer: string }
  | { readonly kind: 'running' }
  | { readonly kind: 'reused' };

/** Seconds after which a request counts as dead: longer than any request takes. */
const CLAIM_SECONDS = 60;

/**
 * Claims the key, also if the claim of an equal request is dead. Otherwise the row; none if it was
 * added while this statement ran. Its commit does not wait for the disk: PostgreSQL writes in
 * order, so an effect that survives a crash has its claim, and without the claim there is no
 * effect.
 */
const CLAIM = `
  WITH claimed AS (
    INSERT INTO idempotency_keys AS k (id, request_hash, claimed_until, created_at)
    SELECT $1::bytea, $2::bytea, $3::timestamptz, $4::timestamptz
     WHERE set_config('synchronous_commit', 'off', true) = 'off'
    ON CONFLICT (id) DO UPDATE SET claimed_until = excluded.claimed_until
       WHERE k.answer IS NULL AND k.claimed_until <= $4 AND k.request_hash = excluded.request_hash
    RETURNING created_at
  )
  SELECT created_at AS since, true AS "isSame", NULL AS answer FROM claimed
   UNION ALL
  SELECT NULL, request_hash = $2, answer FROM idempotency_keys WHERE id = $1 AND NOT EXISTS (SELECT FROM claimed)`;

const STORE = 'UPDATE idempotency_keys SET status = $3, answer = $4 WHERE id = $1 AND claimed_until = $2';
const RELEASE = 'DELETE FROM idempotency_keys WHERE id = $1 AND claimed_until = $2 AND answer IS NULL';

interface Found {
  /** When the request was first claimed; null if this one has not claimed it. */
  readonly since: Date | null;
  readonly isSame: boolean;
  readonly answer: string | null;
}

/** The claims on Idempotency-Keys (docs/decisions/0055). */
@Injectable()
export class IdempotencyClaims {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Claims a key, or finds why it cannot be claimed. One statement, outside of a transaction. */
  async claim({ id, requestHash }: KeyedRequest): Promise<ClaimOutcome> {
    const now = this.clock.now();
    const until = addSeconds(now, CLAIM_SECONDS);
    const [found] = await this.unitOfWork.query<Found>(CLAIM, [id, requestHash, until, now]);
    if (found?.since) return { kind: 'claimed', since: found.since, until };
    if (found && !found.isSame) return { kind: 'reused' };
    return found?.answer ? { kind: 'answered', answer: found.answer } : { kind: 'running' };
  }

  /**
   * Stores the answer after the effect. If that fails, the answer is sent all the same, and a retry
   * executes the request again when the claim is dead.
   */
  async store(claim: IdempotencyClaim, { status, answer }: SealedAnswer): Promise<void> {
    await this.attempt(STORE, [claim.id, claim.until, status, answer]);
  }

  /**
   * Lets a retry execute the request again. An answer that was stored after all stays. If it fails,
   * the claim dies by itself.
   */
  async release(claim: IdempotencyClaim): Promise<void> {
    await this.attempt(RELEASE, [claim.id, claim.until]);
  }

  private async attempt(sql: string, parameters: unknown[]): Promise<void> {
    try {
      await this.unitOfWork.query(sql, parameters);
    } catch (error) {
      this.log.warn({ event: 'idempotency.not_settled', err: error }, 'A claim on an idempotency key was not settled');
    }
  }
}

import { Injectable } from '@nestjs/common';
import { Clock, addSeconds } from '../clock';
import { Database } from '../database/database';
import { mayBeCommitted } from '../database/database-errors';
import { JoinedCalls } from '../joined-calls';
import { LateReleases } from '../late-releases';
import { Log } from '../observability/log';
import { currentContext, withRequestContext } from '../observability/request-context';
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
 * Milliseconds in which PostgreSQL may still execute a statement that was sent and never answered.
 */
const EXECUTED_MS = 15_000;
/** Requests that one statement claims at most. */
const MOST_AT_ONCE = 100;

/**
 * Claims keys, also if the claim of an equal request is dead. Otherwise their rows; none if one was
 * added while this statement ran. Rows are locked in the order of their ids, so that two instances
 * cannot wait for each other. The commit does not wait for the disk: PostgreSQL writes in order, so
 * an effect that survives a crash has its claim, and without the claim there is no effect.
 */
const CLAIM = `
  WITH asked AS (SELECT * FROM unnest($1::bytea[], $2::bytea[]) AS a (id, request_hash)),
  claimed AS (
    INSERT INTO idempotency_keys AS k (id, request_hash, claimed_until, created_at)
    SELECT id, request_hash, $3::timestamptz, $4::timestamptz FROM asked
     WHERE (SELECT set_config('synchronous_commit', 'off', true)) = 'off'
     ORDER BY id
    ON CONFLICT (id) DO UPDATE SET claimed_until = excluded.claimed_until
       WHERE k.answer IS NULL AND k.claimed_until <= $4 AND k.request_hash = excluded.request_hash
    RETURNING id, created_at
  )
  SELECT id, created_at AS since, true AS "isSame", NULL AS answer FROM claimed
   UNION ALL
  SELECT k.id, NULL, k.request_hash = a.request_hash, k.answer
    FROM asked a JOIN idempotency_keys k ON k.id = a.id
   WHERE NOT EXISTS (SELECT FROM claimed c WHERE c.id = k.id)`;

const STORE = 'UPDATE idempotency_keys SET status = $3, answer = $4 WHERE id = $1 AND claimed_until = $2';
const RELEASE = `
  DELETE FROM idempotency_keys k USING unnest($1::bytea[], $2::timestamptz[]) AS a (id, until)
   WHERE k.id = a.id AND k.claimed_until = a.until AND k.answer IS NULL
  RETURNING k.id`;

/** What the log calls a claim. */
const KIND = 'idempotency key';

/** A claim: the key, and until when it was claimed. */
type Claimed = Pick<IdempotencyClaim, 'id' | 'until'>;

interface Found {
  readonly id: Buffer;
  /** When the request was first claimed; null if this one has not claimed it. */
  readonly since: Date | null;
  readonly isSame: boolean;
  readonly answer: string | null;
}

/** The claims on Idempotency-Keys (docs/decisions/0055). */
@Injectable()
export class IdempotencyClaims {
  /** Requests that arrive while a claim is on its way are claimed together. */
  private readonly claiming = new JoinedCalls<KeyedRequest, ClaimOutcome>({
    keyOf: ({ id }) => id.toString('base64'),
    most: MOST_AT_ONCE,
    run: (requests) => this.claimAll(requests),
  });

  /** Claims that are released while another release is on its way are released together. */
  private readonly releasing = new JoinedCalls<Claimed, boolean>({
    keyOf: ({ id }) => id.toString('base64'),
    most: MOST_AT_ONCE,
    run: (claims) => this.releaseAll(claims),
  });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly lateReleases: LateReleases,
    private readonly log: Log,
  ) {}

  /** Claims a key, or finds why it cannot be claimed. Outside of a transaction. */
  async claim(request: KeyedRequest): Promise<ClaimOutcome> {
    const outcome = await this.claiming.call(request);
    if (outcome.kind === 'answered') currentContext().written?.forget(); // by an earlier request
    return outcome;
  }

  /** One statement for all, which is no write of the request in whose context it is sent. */
  private async claimAll(requests: readonly KeyedRequest[]): Promise<ClaimOutcome[]> {
    const now = this.clock.now();
    const until = addSeconds(now, CLAIM_SECONDS);
    const columns = [requests.map(({ id }) => id), requests.map(({ requestHash }) => requestHash)];
    const rows = await withRequestContext({ ...currentContext(), written: undefined }, () =>
      this.database.query<Found>(CLAIM, [...columns, until, now]),
    ).catch((error: unknown) => {
      if (mayBeCommitted(error)) for (const { id } of requests) this.releaseUnanswered({ id, until });
      throw error;
    });
    const found = new Map(rows.map((row) => [row.id.toString('base64'), row]));
    return requests.map(({ id }) => outcomeOf(found.get(id.toString('base64')), until));
  }

  /**
   * Stores the answer after the effect. If that fails, the answer is sent all the same, and a retry
   * executes the request again when the claim is dead.
   */
  async store(claim: IdempotencyClaim, { status, answer }: SealedAnswer): Promise<void> {
    try {
      await this.database.query(STORE, [claim.id, claim.until, status, answer]);
    } catch (error) {
      this.log.warn(
        { event: 'idempotency.not_settled', err: error },
        'An idempotency key stays claimed until it expires',
      );
    }
  }

  /**
   * Lets a retry execute the request again: now, or as soon as the database responds again. An
   * answer that was stored after all stays.
   */
  async release({ id, until }: IdempotencyClaim): Promise<void> {
    const release = () => this.releasing.call({ id, until }).then(() => true);
    await release().catch(() => this.lateReleases.add({ kind: KIND, expiresInMs: CLAIM_SECONDS * 1000, release }));
  }

  /** Looks for a claim that may still come. */
  private releaseUnanswered(claim: Claimed): void {
    this.lateReleases.add({ kind: KIND, expiresInMs: EXECUTED_MS, release: () => this.releasing.call(claim) });
  }

  /** @returns for each claim whether it was there */
  private async releaseAll(claims: readonly Claimed[]): Promise<boolean[]> {
    const columns = [claims.map(({ id }) => id), claims.map(({ until }) => until)];
    const rows = await this.database.query<Pick<Claimed, 'id'>>(RELEASE, columns);
    const released = new Set(rows.map(({ id }) => id.toString('base64')));
    return claims.map(({ id }) => released.has(id.toString('base64')));
  }
}

function outcomeOf(found: Found | undefined, until: Date): ClaimOutcome {
  if (found?.since) return { kind: 'claimed', since: found.since, until };
  if (found && !found.isSame) return { kind: 'reused' };
  return found?.answer ? { kind: 'answered', answer: found.answer } : { kind: 'running' };
}

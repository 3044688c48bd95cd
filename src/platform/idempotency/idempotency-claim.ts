import type { Ok } from '../result';

/** An answer as it is stored: the status, and its JSON, encrypted. */
export interface SealedAnswer {
  readonly status: number;
  readonly answer: string;
}

/** How the result of a command becomes an answer. */
export type SealResult = (result: Ok<unknown>) => SealedAnswer;

/**
 * Stores the answer. The division refuses the transaction if another request has taken the claim
 * over: what this one did must not be committed beside the other's.
 */
const STORE_OR_REFUSE = `
  WITH kept AS (
    UPDATE idempotency_keys SET status = $3, answer = $4 WHERE id = $1 AND claimed_until = $2 RETURNING 1
  ) SELECT 1 / count(*) FROM kept`;
const DIVISION_BY_ZERO = '22012';

/** The right of a running request to answer an Idempotency-Key. */
export class IdempotencyClaim {
  private stored?: Ok<unknown>;

  /**
   * @param since when the key was first claimed, also if this claim was taken over
   * @param until when others may take it over; it also distinguishes the claims of a key
   * @param seal absent: the answer is not stored with a transaction, but after all of them
   */
  constructor(
    readonly id: Buffer,
    private readonly since: Date,
    readonly until: Date,
    private readonly seal?: SealResult,
  ) {}

  /**
   * The statement, with its parameters, that stores the result of a transaction as the answer, as
   * the last one before COMMIT; undefined if the transaction does not store it.
   */
  storing(result: Ok<unknown>): [sql: string, parameters: unknown[]] | undefined {
    if (!this.seal) return undefined;
    const { status, answer } = this.seal(result);
    return [STORE_OR_REFUSE, [this.id, this.until, status, answer]];
  }

  /** The transaction that stored this result was committed. */
  markStored(result: Ok<unknown>): void {
    this.stored = result;
  }

  /**
   * Names what is executed, for systems outside: the same after a claim was taken over, another one
   * after it was released, which repeats what has failed.
   */
  get execution(): string {
    return `${this.id.toString('base64url')}-${this.since.getTime().toString(36)}`;
  }

  /** Whether a transaction has stored an answer. */
  get isStored(): boolean {
    return this.stored !== undefined;
  }

  /** Whether a transaction has stored this result as the answer. */
  hasStored(result: Ok<unknown>): boolean {
    return this.stored !== undefined && this.stored.value === result.value;
  }
}

/** Another request has taken over the claim of this one, which has changed nothing. */
export class ClaimLost extends Error {
  constructor() {
    super('Another request has taken over the idempotency key.');
  }

  /** @param error of a transaction that stored an answer */
  static isIn(error: unknown): boolean {
    return (error as { code?: string } | undefined)?.code === DIVISION_BY_ZERO;
  }
}

import { Injectable } from '@nestjs/common';
import type { SealedAnswer } from '../../platform/idempotency/idempotency-claim';
import { Err, Ok, type Failure } from '../../platform/result';
import { Vault, type SealedPlace } from '../../platform/vault';
import { HTTP_STATUS } from '../responses/http-status';

/** An answer without its envelope. */
type Answer = { readonly data?: unknown } | { readonly failure: Failure };

/** Statuses of failures that say nothing about the request: a retry executes it again. */
const PASSING: readonly number[] = [HTTP_STATUS.unauthenticated, HTTP_STATUS['too-many']];

/** Whether an answer with this status is stored. */
export const isKept = (status: number): boolean => status < 500 && !PASSING.includes(status);

/** Encrypts answers with the client's key, of which the database has only a hash. */
@Injectable()
export class StoredAnswers {
  constructor(private readonly vault: Vault) {}

  /** @param status of a success; a failure has its own */
  seal(id: Buffer, key: string, result: Ok<unknown> | Err, status: number): SealedAnswer {
    const answer: Answer = result.ok ? { data: result.value } : { failure: result.failure };
    return {
      status: result.ok ? status : HTTP_STATUS[result.failure.kind],
      answer: this.vault.with(key).seal(placeOf(id), JSON.stringify(answer)),
    };
  }

  /** @throws if it was sealed with a key of SECRETS_KEYS that is no longer there */
  open(id: Buffer, key: string, sealed: string): Ok<unknown> | Err {
    const answer = JSON.parse(this.vault.with(key).open(placeOf(id), sealed)) as Answer;
    return 'failure' in answer ? new Err(answer.failure) : new Ok(answer.data);
  }
}

const placeOf = (id: Buffer): SealedPlace => ({
  table: 'idempotency_keys',
  column: 'answer',
  id: id.toString('hex'),
});

import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { catchError, concatAll, concatMap, from, of, type Observable } from 'rxjs';
import { ClaimLost, IdempotencyClaim } from '../../platform/idempotency/idempotency-claim';
import { IdempotencyClaims } from '../../platform/idempotency/idempotency-claims';
import { Log } from '../../platform/observability/log';
import { currentContext, withRequestContext } from '../../platform/observability/request-context';
import { PlatformFailures } from '../../platform/platform.failures';
import { Err, ok, Ok } from '../../platform/result';
import { accessOf } from '../access/access';
import { idempotencyKeyOf, IDEMPOTENCY_KEY, IDEMPOTENCY_REPLAYED, isWrite } from './idempotency-key';
import { exceptionToFailure } from '../responses/exception-to-failure';
import { FailureException, HTTP_STATUS, successStatusOf } from '../responses/http-status';
import { answerStorageOf } from './answer-storage.decorator';
import { keyedRequest } from './keyed-request';
import { isKept, StoredAnswers } from './stored-answers';

/** The claim of a request, with what turns its results into answers. */
interface Claimed {
  readonly claim: IdempotencyClaim;
  readonly seal: (result: Ok<unknown> | Err) => ReturnType<StoredAnswers['seal']>;
}

/**
 * Executes a write with an Idempotency-Key once, and repeats its answer (docs/decisions/0055). A
 * request without the header passes. EnvelopeInterceptor calls it: a global interceptor of its own
 * would cost every request time (docs/decisions/0039).
 */
@Injectable()
export class IdempotencyKeyInterceptor implements NestInterceptor {
  constructor(
    private readonly claims: IdempotencyClaims,
    private readonly answers: StoredAnswers,
    private readonly log: Log,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    if (request.get(IDEMPOTENCY_KEY) === undefined || !isWrite(request)) return next.handle();
    if (answerStorageOf(context.getHandler()) === 'never') return next.handle();
    const key = idempotencyKeyOf(request);
    if (!key.ok) throw new FailureException(key.failure);
    return from(this.answer(context, next, key.value!)).pipe(concatAll());
  }

  private async answer(context: ExecutionContext, next: CallHandler<unknown>, key: string) {
    const http = context.switchToHttp();
    const handler = context.getHandler();
    const keyed = keyedRequest(http.getRequest(), accessOf(handler, context.getClass()), key);
    const found = await this.claims.claim(keyed);
    if (found.kind === 'running') throw new FailureException(PlatformFailures.idempotencyInProgress);
    if (found.kind === 'reused') throw new FailureException(PlatformFailures.idempotencyKeyReused);
    if (found.kind === 'answered') {
      http.getResponse<Response>().setHeader(IDEMPOTENCY_REPLAYED, 'true');
      return of(this.answers.open(keyed.id, key, found.answer));
    }
    const status = successStatusOf(handler);
    const seal: Claimed['seal'] = (result) => this.answers.seal(keyed.id, key, result, status);
    const storesWithEffect = answerStorageOf(handler) === 'with-effect';
    const claim = new IdempotencyClaim(keyed.id, found.since, found.until, storesWithEffect ? seal : undefined);
    return this.execute(next, { claim, seal });
  }

  /** Everything that the route does has the claim in its context. */
  private execute(next: CallHandler<unknown>, claimed: Claimed): Observable<unknown> {
    const outcomes = withRequestContext({ ...currentContext(), claim: claimed.claim }, () => next.handle());
    return outcomes.pipe(
      concatMap(async (outcome) => {
        await this.settle(claimed, outcome instanceof Ok || outcome instanceof Err ? outcome : ok(outcome));
        return outcome;
      }),
      catchError(async (thrown: unknown) => {
        if (thrown instanceof ClaimLost) throw new FailureException(PlatformFailures.idempotencyInProgress);
        await this.settle(claimed, new Err(exceptionToFailure(thrown)));
        throw thrown;
      }),
    );
  }

  /** Stores an answer that no transaction has stored, or releases the claim. */
  private async settle({ claim, seal }: Claimed, result: Ok<unknown> | Err): Promise<void> {
    if (result.ok && claim.hasStored(result)) return;
    if (claim.isStored)
      this.log.error(
        { event: 'idempotency.answer_differs' },
        'A transaction stored another response than the one that is sent',
      );
    if (result.ok || isKept(HTTP_STATUS[result.failure.kind])) await this.claims.store(claim, seal(result));
    else await this.claims.release(claim);
  }
}

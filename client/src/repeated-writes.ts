import { wait } from './abortable-wait.js';
import type { ErrorCode } from './api-answer.js';
import { randomKey } from './random-key.js';
import { responseCode } from './response-code.js';

/** The header with which the service executes a write once, however often it is sent. */
const KEY = 'Idempotency-Key';

/**
 * Milliseconds before each further attempt after a lost response, or one that does not know the
 * outcome: up to three are lost.
 */
const LOSS_PAUSES_MS = [200, 1000];

/** How long the client waits for an earlier attempt that is still running. */
const MAX_RUNNING_MS = 30_000;
const IN_PROGRESS: string = 'IDEMPOTENCY_IN_PROGRESS' satisfies ErrorCode;
const OUTCOME_UNKNOWN: string = 'OUTCOME_UNKNOWN' satisfies ErrorCode;

/** Gives a write a key, unless the caller has: all attempts to send it have the same. */
export function withIdempotencyKey(request: Request): Request {
  if (request.method !== 'GET' && !request.headers.has(KEY)) request.headers.set(KEY, randomKey());
  return request;
}

/**
 * Sends a write with a key again when its response or its outcome is lost, or while an earlier
 * attempt is still running. A request without a key is sent once.
 * @throws what the last attempt throws, or the reason of the caller's own AbortSignal
 */
export function repeatWrites(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    if (!request.headers.has(KEY)) return send(request);
    const lossPauses = [...LOSS_PAUSES_MS];
    let waited = 0;
    for (;;) {
      const response = await send(request.clone()).catch((thrown: unknown) => {
        if (!isLost(thrown, request) || lossPauses.length === 0) throw thrown;
      });
      if (!response || (lossPauses.length > 0 && (await isUnknown(response)))) {
        await wait(lossPauses.shift()!, request.signal);
        continue;
      }
      const pause = secondsUntilRetry(response) * 1000;
      if (!(await isInProgress(response)) || waited + pause > MAX_RUNNING_MS) return response;
      await wait(pause, request.signal);
      waited += pause;
    }
  };
}

/** A TypeError is what `fetch` throws without a response. */
const isLost = (thrown: unknown, { signal }: Request): boolean => !signal.aborted && thrown instanceof TypeError;

const isInProgress = async (response: Response): Promise<boolean> =>
  response.status === 409 && (await responseCode(response)) === IN_PROGRESS;

const isUnknown = async (response: Response): Promise<boolean> =>
  response.status === 503 && (await responseCode(response)) === OUTCOME_UNKNOWN;

const secondsUntilRetry = ({ headers }: Response): number => Number(headers.get('Retry-After')) || 1;

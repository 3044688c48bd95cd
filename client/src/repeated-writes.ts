import { wait } from './abortable-wait.js';
import type { ErrorCode } from './api-answer.js';
import { randomKey } from './random-key.js';
import { responseCode } from './response-code.js';

/** The header with which the service executes a write once, however often it is sent. */
const KEY = 'Idempotency-Key';

/** Milliseconds before each further attempt, so that there are three attempts. */
const PAUSES_MS = [200, 1000];
const IN_PROGRESS: string = 'IDEMPOTENCY_IN_PROGRESS' satisfies ErrorCode;

/** Gives a write a key, unless the caller has: all attempts to send it have the same. */
export function withIdempotencyKey(request: Request): Request {
  if (request.method !== 'GET' && !request.headers.has(KEY)) request.headers.set(KEY, randomKey());
  return request;
}

/**
 * Sends a write with a key again when its response is lost, or while its first attempt is still
 * running. A request without a key is sent once.
 * @throws what the last attempt throws, or the reason of the caller's own AbortSignal
 */
export function repeatWrites(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    if (!request.headers.has(KEY)) return send(request);
    for (const pause of PAUSES_MS) {
      const response = await send(request.clone()).catch((thrown: unknown) => refuseUnlessLost(thrown, request));
      if (response && !(await isInProgress(response))) return response;
      await wait(pause, request.signal);
    }
    return send(request);
  };
}

/** A TypeError is what `fetch` throws without a response. */
function refuseUnlessLost(thrown: unknown, { signal }: Request): undefined {
  if (signal.aborted || !(thrown instanceof TypeError)) throw thrown;
}

const isInProgress = async (response: Response): Promise<boolean> =>
  response.status === 409 && (await responseCode(response)) === IN_PROGRESS;

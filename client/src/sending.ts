import type { ErrorCode, Failure } from './answer.js';
import type { Renewal, Session } from './session.js';

/** Carries a failure of ours through openapi-fetch, which knows none. */
export class Refused extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

const SESSION_CHANGED: Failure = {
  code: 'SESSION_CHANGED',
  message:
    'Meanwhile another account or tenant was made active in this browser. Look at the page again before you repeat this.',
  status: 0,
  requestId: null,
  retryAfter: null,
};

/**
 * Sends a request with the access token; when that is not taken, once more with a new one, as long
 * as it is of the same person and tenant.
 * @param asked for whom it is meant: the session's owner when it was asked for
 * @param renew how to get a new one: in turn, or waiting for it
 * @throws Refused when there is no new one for now, or it is somebody else's
 */
export async function sendSignedIn(
  request: Request,
  session: Session,
  asked: string | undefined,
  renew: (rejected?: string) => Promise<Renewal>,
  send: typeof fetch,
): Promise<Response> {
  const authorize = async (attempt: Request): Promise<string | undefined> => {
    const current = await session.token(renew);
    if (!current.ok) throw new Refused(current.error);
    const owner = session.owner();
    if (asked !== undefined && owner !== undefined && owner !== asked) throw new Refused(SESSION_CHANGED);
    if (current.data) attempt.headers.set('Authorization', `Bearer ${current.data}`);
    return current.data;
  };
  const again = request.clone();
  const token = await authorize(request);
  const response = await send(request);
  if (response.status !== 401 || !token || !(await isAboutToken(response))) return response;
  const renewal = await renew(token);
  if (renewal.is === 'failed') throw new Refused(renewal.failure);
  if (renewal.is === 'ended') return response;
  await authorize(again);
  return send(again);
}

/** Of who was removed from the active tenant the session goes on: refreshing tells. */
const ABOUT_TOKEN: readonly string[] = [
  'ACCESS_TOKEN_EXPIRED',
  'UNAUTHENTICATED',
  'SESSION_ENDED',
] satisfies ErrorCode[];

/** A 401 may also be about a password that was given. */
async function isAboutToken(response: Response): Promise<boolean> {
  const read = response.clone().json() as Promise<{ error?: { code?: string } } | null>;
  const body = await read.catch(() => null);
  return ABOUT_TOKEN.includes(body?.error?.code ?? '');
}

import type { ErrorCode, Failure } from './api-answer.js';
import { clientFailure } from './client-failure.js';
import { responseCode } from './response-code.js';
import type { Renewal, Session } from './session.js';

/** Carries a failure of the client itself through openapi-fetch, which only knows responses. */
export class FailureError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

const SESSION_CHANGED = clientFailure(
  'SESSION_CHANGED',
  'Another account or tenant became active in this browser. Reload the page before you try again.',
);

/**
 * Sends a request with the access token. If the service rejects the token, the token is renewed and
 * the request is sent once more, provided that the session still belongs to the same user and
 * tenant.
 * @param owner the session's owner when the request was created
 * @param renew renews the access token
 * @throws FailureError if the token cannot be renewed now, or the session has another owner
 */
export async function authorizedFetch(
  request: Request,
  session: Session,
  owner: string | undefined,
  renew: (rejected?: string) => Promise<Renewal>,
  send: typeof fetch,
): Promise<Response> {
  const authorize = async (attempt: Request): Promise<string | undefined> => {
    const current = await session.token(renew);
    if (!current.ok) throw new FailureError(current.error);
    const currentOwner = session.owner();
    if (owner !== undefined && currentOwner !== undefined && currentOwner !== owner)
      throw new FailureError(SESSION_CHANGED);
    if (current.data) attempt.headers.set('Authorization', `Bearer ${current.data}`);
    return current.data;
  };
  const retry = request.clone();
  const token = await authorize(request);
  const response = await send(request);
  if (response.status !== 401 || !token || !(await isTokenRejected(response))) return response;
  const renewal = await renew(token);
  if (renewal.kind === 'failed') throw new FailureError(renewal.failure);
  if (renewal.kind === 'ended') return response;
  await authorize(retry);
  return send(retry);
}

/**
 * SESSION_ENDED is among them: the session of a user who was removed from the active tenant
 * continues, and the refresh decides.
 */
const TOKEN_REJECTED: readonly string[] = [
  'ACCESS_TOKEN_EXPIRED',
  'UNAUTHENTICATED',
  'SESSION_ENDED',
] satisfies ErrorCode[];

/** A 401 can also mean that a password in the request is wrong. */
async function isTokenRejected(response: Response): Promise<boolean> {
  return TOKEN_REJECTED.includes((await responseCode(response)) ?? '');
}

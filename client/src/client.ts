import createFetchClient, { type FetchOptions, type MaybeOptionalInit } from 'openapi-fetch';
import type { FilterKeys, HttpMethod, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';
import type { Answer, CodeOf, DataOf, Failure, Paths, Schemas } from './answer.js';
import { shareNotifications, type StreamListener } from './notifications.js';
import { Session, type SessionOptions } from './session.js';

export interface ClientOptions {
  /** Where the service is, without /api/v1; '' for a page that the service itself serves. */
  readonly baseUrl: string;
  readonly session: SessionOptions;
  /** Another fetch, for tests and old runtimes. */
  readonly fetch?: typeof fetch;
}

type Init<Path extends keyof Paths, Method extends HttpMethod> =
  RequiredKeysOf<FetchOptions<FilterKeys<Paths[Path], Method>>> extends never
    ? [init?: MaybeOptionalInit<Paths[Path], Method>]
    : [init: MaybeOptionalInit<Paths[Path], Method>];

type Call<Method extends HttpMethod> = <Path extends PathsWithMethod<Paths, Method>>(
  path: Path,
  ...init: Init<Path, Method>
) => Promise<Answer<DataOf<Paths[Path][Method]>, CodeOf<Paths[Path][Method]>>>;

/** The API with a session: paths and bodies are those of the document, answers are `{ ok: true, data }` or `{ ok: false, error }`. */
export interface Client {
  readonly GET: Call<'get'>;
  readonly POST: Call<'post'>;
  readonly PUT: Call<'put'>;
  readonly PATCH: Call<'patch'>;
  readonly DELETE: Call<'delete'>;
  readonly session: Session;
  /** Ends the session at the service, here and in the other tabs; an impersonation is only left. */
  logOut(): Promise<Answer<null>>;
  /** Where a browser is sent to sign in with a provider. */
  signInUrl(provider: 'google' | 'github'): string;
  /** New notifications as they come, until `signal` is aborted or the session ends; see StreamListener. */
  notifications(listener: StreamListener, signal: AbortSignal): Promise<void>;
}

/** @see docs/clients.md for which session to choose */
export function createClient({ baseUrl, session: options, fetch: send = fetch }: ClientOptions): Client {
  const root = `${baseUrl.replace(/\/$/, '')}/api/v1`;
  const headers = options.keep === 'cookie' && options.name ? { 'X-Session': options.name } : undefined;
  const credentials = options.keep === 'cookie' ? 'include' : 'omit';
  const common = { baseUrl: root, headers, credentials } as const;

  const plain = createFetchClient<Paths>({ ...common, fetch: (request) => send(request) });
  // The page may be closed meanwhile: the spent token must not be all that is left.
  const session = new Session(options, (body) => answerOf<Schemas['TokenPair']>(() => plain.POST('/auth/refresh', { body, keepalive: true })));

  const authorized = createFetchClient<Paths>({ ...common, fetch: (request) => sendSignedIn(request, session, send) });
  const call =
    (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE') =>
    async (path: string, init?: object): Promise<Answer<unknown, never>> => {
      const answer = await answerOf<unknown>(() => authorized.request(method.toLowerCase() as 'get', path as never, init as never));
      if (answer.ok && isPair(answer.data)) session.adopt(answer.data);
      return answer as Answer<unknown, never>;
    };

  return {
    GET: call('GET') as Call<'get'>,
    POST: call('POST') as Call<'post'>,
    PUT: call('PUT') as Call<'put'>,
    PATCH: call('PATCH') as Call<'patch'>,
    DELETE: call('DELETE') as Call<'delete'>,
    session,
    logOut: async () => {
      if (session.claims()?.impersonator_id) return { ok: true, data: session.leaveImpersonation() };
      const answer = await answerOf<null>(() => plain.POST('/auth/logout', { body: session.spend() }));
      if (answer.ok) session.end();
      return answer;
    },
    signInUrl: (provider) => `${root}/auth/${provider}`,
    notifications: (listener, signal) => shareNotifications(`${root}/notifications/stream`, session, send, listener, signal),
  };
}

/** Carries a failure of ours through openapi-fetch, which knows none. */
class Refused extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

const SESSION_CHANGED: Failure = {
  code: 'SESSION_CHANGED',
  message: 'Meanwhile another account or tenant was made active in this browser. Look at the page again before you repeat this.',
  status: 0,
  requestId: null,
  retryAfter: null,
};

/** Sends a request with the access token; when that is not taken, once more with a new one, as long as it is of the same person and tenant. */
async function sendSignedIn(request: Request, session: Session, send: typeof fetch): Promise<Response> {
  const asked = ownerOf(session);
  const authorize = async (attempt: Request): Promise<string | undefined> => {
    const current = await session.token();
    if (!current.ok) throw new Refused(current.error);
    if (asked !== undefined && ownerOf(session) !== undefined && ownerOf(session) !== asked) throw new Refused(SESSION_CHANGED);
    if (current.token) attempt.headers.set('Authorization', `Bearer ${current.token}`);
    return current.token;
  };
  const again = request.clone();
  const token = await authorize(request);
  const response = await send(request);
  if (response.status !== 401 || !token || !(await isAboutToken(response))) return response;
  const renewal = await session.renew(token);
  if (renewal.is === 'failed') throw new Refused(renewal.failure);
  if (renewal.is === 'ended') return response;
  await authorize(again);
  return send(again);
}

/** Who acts, and where: what must not change under a request. */
function ownerOf(session: Session): string | undefined {
  const claims = session.claims();
  return claims ? `${claims.impersonator_id} ${claims.sub} ${claims.tenant_id}` : undefined;
}

/** A 401 may also be about a password that was given. */
async function isAboutToken(response: Response): Promise<boolean> {
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as { error?: { code?: string } } | null;
  return body?.error?.code === 'ACCESS_TOKEN_EXPIRED' || body?.error?.code === 'UNAUTHENTICATED';
}

/** Takes the envelope off. @throws what the caller's own AbortSignal throws */
async function answerOf<Data>(work: () => Promise<{ data?: unknown; error?: unknown; response: Response }>): Promise<Answer<Data>> {
  try {
    const { data, error, response } = await work();
    const body = (data ?? error) as { success?: boolean; data?: Data; error?: Failure } | undefined;
    if (body?.success === true) return { ok: true, data: body.data as Data };
    const { status, headers } = response;
    const about = { status, requestId: headers.get('X-Request-Id'), retryAfter: Number(headers.get('Retry-After')) || null };
    if (body?.success === false && body.error) return { ok: false, error: { ...body.error, ...about } };
    return { ok: false, error: { ...about, code: 'UNREACHABLE', message: `Something else than the service answered, with status ${status}.` } };
  } catch (thrown) {
    if (thrown instanceof Refused) return { ok: false, error: thrown.failure };
    if (thrown instanceof Error && thrown.name === 'AbortError') throw thrown;
    return { ok: false, error: { code: 'UNREACHABLE', message: 'The service cannot be reached.', status: 0, requestId: null, retryAfter: null } };
  }
}

function isPair(data: unknown): data is Schemas['TokenPair'] {
  return typeof data === 'object' && data !== null && 'accessToken' in data && 'refreshToken' in data;
}

import createFetchClient, { type FetchOptions, type MaybeOptionalInit } from 'openapi-fetch';
import type { FilterKeys, HttpMethod, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';
import type { Answer, CodeOf, DataOf, Failure, Paths, Schemas } from './answer.js';
import { shareNotifications, type StreamListener } from './notifications.js';
import { Refused, sendSignedIn } from './sending.js';
import { Session, type Renewal, type SessionOptions } from './session.js';

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

/** What changes the session by what it answers: it takes turns with refreshing. */
const CHANGES: readonly string[] = ['/auth/login', '/auth/switch-tenant', '/auth/verify-email', '/invitations/register'] satisfies (keyof Paths)[];

/** @see docs/clients.md for which session to choose */
export function createClient({ baseUrl, session: options, fetch: send = fetch }: ClientOptions): Client {
  const root = `${baseUrl.replace(/\/$/, '')}/api/v1`;
  const headers = options.keep === 'cookie' && options.name ? { 'X-Session': options.name } : undefined;
  const common = { baseUrl: root, headers, credentials: options.keep === 'cookie' ? 'include' : 'omit' } as const;

  const plain = createFetchClient<Paths>({ ...common, fetch: (request) => send(request) });
  // The page may be closed meanwhile: the spent token must not be all that is left.
  const session = new Session(options, (body) => answerOf(() => plain.POST('/auth/refresh', { body, keepalive: true })));

  type Renew = (rejected?: string) => Promise<Renewal>;
  const signedIn = (renew: Renew) => createFetchClient<Paths>({ ...common, fetch: (request) => sendSignedIn(request, session, renew, send) });
  const waiting = signedIn((rejected) => session.renew(rejected));
  const inTurn = signedIn((rejected) => session.renewInTurn(rejected));

  const call = (method: 'get' | 'post' | 'put' | 'patch' | 'delete') => (path: string, init?: object) => {
    const ask = (by: typeof waiting) => answerOf(() => by.request(method as 'get', path as never, init as never));
    if (!CHANGES.includes(path)) return ask(waiting);
    return session.inTurn(async () => {
      const answer = await ask(inTurn);
      if (answer.ok) session.adopt(answer.data as Schemas['TokenPair']);
      return answer;
    });
  };
  const logOut = async () => {
    const answer = await answerOf<null>(() => plain.POST('/auth/logout', { body: session.spend() }));
    if (answer.ok) session.end();
    return answer;
  };

  return {
    GET: call('get') as Call<'get'>,
    POST: call('post') as Call<'post'>,
    PUT: call('put') as Call<'put'>,
    PATCH: call('patch') as Call<'patch'>,
    DELETE: call('delete') as Call<'delete'>,
    session,
    logOut: async () => (session.claims()?.impersonator_id ? { ok: true, data: session.leaveImpersonation() } : session.inTurn(logOut)),
    signInUrl: (provider) => `${root}/auth/${provider}`,
    notifications: (listener, signal) => shareNotifications(`${root}/notifications/stream`, session, send, listener, signal),
  };
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

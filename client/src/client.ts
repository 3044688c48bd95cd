import createFetchClient, { type FetchOptions, type MaybeOptionalInit } from 'openapi-fetch';
import type { FilterKeys, HttpMethod, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';
import type { Answer, CodeOf, DataOf, Failure, Paths, Schemas } from './answer.js';
import { shareNotifications, type StreamListener } from './notifications.js';
import { Refused, sendSignedIn } from './sending.js';
import { isWeb, Session, TURN_MS, WEB, type Renewal, type SessionOptions } from './session.js';

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

/**
 * The API with a session: paths and bodies are those of the document, answers are `{ ok: true, data
 * }` or `{ ok: false, error }`.
 */
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
  /**
   * New notifications as they come, until `signal` is aborted or the session ends; see
   * StreamListener.
   */
  notifications(listener: StreamListener, signal: AbortSignal): Promise<void>;
}

/** What signs somebody in by what it answers, whoever is signed in yet. */
const SIGNS_IN: readonly string[] = [
  '/auth/login',
  '/auth/verify-email',
  '/auth/magic-link/verify',
  '/invitations/register',
] satisfies (keyof Paths)[];
/** What changes the session of who is signed in. */
const SWITCHES = '/auth/switch-tenant' satisfies keyof Paths;

/** @see docs/clients.md for which session to choose */
export function createClient({ baseUrl, session: options, fetch: send = fetch }: ClientOptions): Client {
  const root = `${baseUrl.replace(/\/$/, '')}/api/v1`;
  const headers = options.keep === 'cookie' ? { 'X-Session': options.name ?? WEB } : undefined;
  const common = { baseUrl: root, headers, credentials: options.keep === 'cookie' ? 'include' : 'omit' } as const;

  const plain = createFetchClient<Paths>({ ...common, fetch: (request) => send(request) });
  const isAccepted = async (accessToken: string) =>
    (
      await answerOf(() =>
        plain.GET('/auth/me', {
          headers: { Authorization: `Bearer ${accessToken}` },
          signal: AbortSignal.timeout(TURN_MS),
        }),
      )
    ).ok;
  const session = new Session(
    options,
    (body) => {
      // The page may be closed meanwhile (keepalive): the spent token must not be all that is left.
      return answerOf(() => plain.POST('/auth/refresh', { body, keepalive: true }));
    },
    isAccepted,
  );

  type Renew = (rejected?: string) => Promise<Renewal>;
  const signedIn = (asked: string | undefined, renew: Renew) =>
    createFetchClient<Paths>({ ...common, fetch: (request) => sendSignedIn(request, session, asked, renew, send) });

  const call =
    (method: 'get' | 'post' | 'put' | 'patch' | 'delete') =>
    (path: string, init: { readonly signal?: AbortSignal } = {}) => {
      const asked = session.owner();
      const ask = (by: typeof plain, how: object = init) =>
        answerOf(() => by.request(method as 'get', path as never, how as never));
      if (!SIGNS_IN.includes(path) && path !== SWITCHES)
        return ask(signedIn(asked, (rejected) => session.renew(rejected)));
      const signal = AbortSignal.any([AbortSignal.timeout(TURN_MS), ...(init.signal ? [init.signal] : [])]);
      const by = path === SWITCHES ? signedIn(asked, (rejected) => session.renewInTurn(rejected)) : plain;
      const change = async () => {
        const answer = await ask(by, { ...init, signal });
        if (answer.ok)
          await session.adopt({
            ...(path === SWITCHES ? session.spend() : {}),
            ...(answer.data as Schemas['TokenPair']),
          });
        return answer;
      };
      return session.inTurn(change, init.signal);
    };
  const logOut = async () => {
    const answer = await answerOf<null>(() =>
      plain.POST('/auth/logout', { body: session.spend(), signal: AbortSignal.timeout(TURN_MS) }),
    );
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
    logOut: async () =>
      session.claims()?.impersonator_id ? { ok: true, data: session.leaveImpersonation() } : session.inTurn(logOut),
    signInUrl: (provider) =>
      `${root}/auth/${provider}${options.keep === 'cookie' && isWeb(options) ? `?session=${WEB}` : ''}`,
    notifications: (listener, signal) =>
      shareNotifications(`${root}/notifications/stream`, session, send, listener, signal),
  };
}

/** Takes the envelope off. @throws what the caller's own AbortSignal throws */
async function answerOf<Data>(
  work: () => Promise<{ data?: unknown; error?: unknown; response: Response }>,
): Promise<Answer<Data>> {
  try {
    const { data, error, response } = await work();
    const body = (data ?? error) as { success?: boolean; data?: Data; error?: Failure } | undefined;
    if (body?.success === true) return { ok: true, data: body.data as Data };
    const { status, headers } = response;
    const about = {
      status,
      requestId: headers.get('X-Request-Id'),
      retryAfter: Number(headers.get('Retry-After')) || null,
    };
    if (body?.success === false && body.error) return { ok: false, error: { ...body.error, ...about } };
    return {
      ok: false,
      error: {
        ...about,
        code: 'UNREACHABLE',
        message: `Something else than the service answered, with status ${status}.`,
      },
    };
  } catch (thrown) {
    if (thrown instanceof Refused) return { ok: false, error: thrown.failure };
    if (thrown instanceof Error && thrown.name === 'AbortError') throw thrown;
    return {
      ok: false,
      error: {
        code: 'UNREACHABLE',
        message: 'The service cannot be reached.',
        status: 0,
        requestId: null,
        retryAfter: null,
      },
    };
  }
}

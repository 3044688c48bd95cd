import createFetchClient, { type FetchOptions, type MaybeOptionalInit } from 'openapi-fetch';
import type { FilterKeys, HttpMethod, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';
import type { Answer, CodeOf, DataOf, Failure, Paths, Schemas } from './api-answer.js';
import { authorizedFetch, FailureError } from './authorized-fetch.js';
import { clientFailure, failedWith } from './client-failure.js';
import { readYourWrites } from './read-your-writes.js';
import { repeatWrites, withIdempotencyKey } from './repeated-writes.js';
import { shareNotifications, type StreamListener } from './notifications.js';
import { isWeb, Session, LOCK_TIMEOUT_MS, WEB, type Renewal, type SessionOptions } from './session.js';
import { StepUp, type StepUpQuestion } from './step-up.js';

export interface ClientOptions {
  /** Base URL of the service without /api/v1. '' for pages that the service itself serves. */
  readonly baseUrl: string;
  readonly session: SessionOptions;
  /**
   * Called when the service refuses a request with STEP_UP_REQUIRED: asks the user to confirm their
   * identity with an operation below `/auth/step-up`. Requests that need it at the same time share
   * one call. If it resolves to true, each is sent once more. Otherwise, and without this option,
   * their result is the error.
   */
  readonly onStepUpRequired?: StepUpQuestion;
  /** Replaces the global fetch, for tests and old runtimes. */
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

/** The operations whose answer is not in the envelope, such as a file. */
type FilePath = {
  [Path in PathsWithMethod<Paths, 'get'>]: [DataOf<Paths[Path]['get']>] extends [never] ? Path : never;
}[PathsWithMethod<Paths, 'get'>];

/**
 * The typed API client. Paths and bodies are those of the API document. Operations resolve to
 * `{ ok: true, data }` or `{ ok: false, error }`.
 */
export interface Client {
  readonly GET: Call<'get'>;
  readonly POST: Call<'post'>;
  readonly PUT: Call<'put'>;
  readonly PATCH: Call<'patch'>;
  readonly DELETE: Call<'delete'>;
  readonly session: Session;
  /**
   * Requests a file, such as a CSV export. A link would not do: the service wants the access token
   * in a header. Resolves to the response, whose body is the file (`saveFile`).
   */
  download<Path extends FilePath>(
    path: Path,
    ...init: Init<Path, 'get'>
  ): Promise<Answer<Response, CodeOf<Paths[Path]['get']>>>;
  /**
   * Signs out at the service, here and in the other tabs. During an impersonation, leaves it only.
   */
  logOut(): Promise<Answer<null>>;
  /** The address that starts signing in with a provider. Send the browser there. */
  signInUrl(provider: 'google' | 'github'): string;
  /**
   * Calls the listener for each new notification. The promise resolves when `signal` is aborted or
   * the session ends.
   */
  notifications(listener: StreamListener, signal: AbortSignal): Promise<void>;
}

/** The operations whose response signs a user in, or has the ticket for a second factor. */
type SignInPath =
  | '/auth/second-factor'
  | {
      [Path in keyof Paths]: Schemas['SignIn'] extends DataOf<Paths[Path]['post']> ? Path : never;
    }[keyof Paths];

/** They are sent without an access token. One that is missing does not compile. */
const SIGN_IN_PATHS: Readonly<Record<SignInPath, true>> = {
  '/auth/login': true,
  '/auth/second-factor': true,
  '/auth/verify-email': true,
  '/auth/magic-link/verify': true,
  '/auth/magic-link/code': true,
  '/auth/passkey': true,
  '/invitations/register': true,
};
/** The operation that changes the tenant of this tab, and the active tenant of the session. */
const SWITCH_TENANT_PATH = '/auth/switch-tenant' satisfies keyof Paths;

/** A file is sent as it is, with its own type. */
const fileOptions = (body: unknown): object =>
  body instanceof Blob ? { bodySerializer: (file: Blob) => file, headers: { 'Content-Type': body.type } } : {};

/** Creates a client. docs/clients.md explains which session to choose. */
export function createClient({
  baseUrl,
  session: options,
  onStepUpRequired,
  fetch: given = fetch,
}: ClientOptions): Client {
  const send = readYourWrites(given);
  const root = `${baseUrl.replace(/\/$/, '')}/api/v1`;
  const headers = options.keep === 'cookie' ? { 'X-Session': options.name ?? WEB } : undefined;
  const common = { baseUrl: root, headers, credentials: options.keep === 'cookie' ? 'include' : 'omit' } as const;

  const clientOf = (sendOne: (request: Request) => Promise<Response>) =>
    createFetchClient<Paths>({ ...common, fetch: sendOne });
  const plain = clientOf((request) => send(request));
  const isAccepted = async (accessToken: string) =>
    (
      await answerOf(() =>
        plain.GET('/auth/me', {
          headers: { Authorization: `Bearer ${accessToken}` },
          signal: AbortSignal.timeout(LOCK_TIMEOUT_MS),
        }),
      )
    ).ok;
  const session = new Session(
    options,
    (body, key) => {
      // keepalive: the request completes even if the page is closed, so that the browser receives
      // the cookie that replaces the used one.
      const params = { header: { 'Idempotency-Key': key } };
      return answerOf(() => plain.POST('/auth/refresh', { params, body, keepalive: true }));
    },
    isAccepted,
  );

  type Renew = (rejected?: string) => Promise<Renewal>;
  const authorized = (owner: string | undefined, renew: Renew, by: typeof fetch) => (request: Request) =>
    authorizedFetch(request, session, owner, renew, by);
  const repeating = repeatWrites(send);
  const stepUp = new StepUp(onStepUpRequired);

  const call =
    (method: 'get' | 'post' | 'put' | 'patch' | 'delete') =>
    (
      path: string,
      init: { readonly signal?: AbortSignal; readonly body?: unknown; readonly parseAs?: 'stream' } = {},
    ) => {
      const owner = session.owner();
      const request = (client: typeof plain, options: object = init) =>
        answerOf(
          () => client.request(method as 'get', path as never, { ...fileOptions(init.body), ...options } as never),
          init.signal,
        );
      if (!(path in SIGN_IN_PATHS) && path !== SWITCH_TENANT_PATH) {
        const sendOne = authorized(owner, (rejected) => session.renew(rejected), repeating);
        return request(clientOf((attempt) => stepUp.fetch(path, withIdempotencyKey(attempt), sendOne)));
      }
      const signal = AbortSignal.any([AbortSignal.timeout(LOCK_TIMEOUT_MS), ...(init.signal ? [init.signal] : [])]);
      const isSwitch = path === SWITCH_TENANT_PATH;
      const client = isSwitch ? clientOf(authorized(owner, (rejected) => session.renewLocked(rejected), send)) : plain;
      const change = async () => {
        const answer = await request(client, { ...init, signal });
        const data = answer.ok ? (answer.data as Schemas['SignIn']) : undefined;
        if (data && !('secondFactor' in data))
          await session.adopt({ ...(isSwitch ? session.refreshBody() : {}), ...data });
        return answer;
      };
      return session.withLock(change, init.signal);
    };
  const logOut = async () => {
    const answer = await answerOf<null>(() =>
      plain.POST('/auth/logout', { body: session.refreshBody(), signal: AbortSignal.timeout(LOCK_TIMEOUT_MS) }),
    );
    if (answer.ok) await session.end();
    return answer;
  };

  return {
    GET: call('get') as Call<'get'>,
    POST: call('post') as Call<'post'>,
    PUT: call('put') as Call<'put'>,
    PATCH: call('patch') as Call<'patch'>,
    DELETE: call('delete') as Call<'delete'>,
    session,
    download: ((path: string, init?: object) =>
      call('get')(path, { ...init, parseAs: 'stream' })) as Client['download'],
    logOut: async () =>
      session.claims()?.impersonator_id ? { ok: true, data: session.leaveImpersonation() } : session.withLock(logOut),
    signInUrl: (provider) =>
      `${root}/auth/${provider}${options.keep === 'cookie' && isWeb(options) ? `?session=${WEB}` : ''}`,
    notifications: (listener, signal) =>
      shareNotifications(`${root}/notifications/stream`, session, send, listener, signal),
  };
}

/**
 * Removes the envelope of a response; a response whose body was not read is the data itself.
 * @param signal the caller's own
 * @throws the reason of the signal, once it is aborted
 */
async function answerOf<Data>(
  work: () => Promise<{ data?: unknown; error?: unknown; response: Response }>,
  signal?: AbortSignal,
): Promise<Answer<Data>> {
  try {
    const { data, error, response } = await work();
    if (data instanceof ReadableStream) return { ok: true, data: response as Data };
    const body = (data ?? error) as { success?: boolean; data?: Data; error?: Failure } | undefined;
    if (body?.success === true) return { ok: true, data: body.data as Data };
    const { status, headers } = response;
    const about = {
      status,
      requestId: headers.get('X-Request-Id'),
      retryAfter: Number(headers.get('Retry-After')) || null,
    };
    if (body?.success === false && body.error) return { ok: false, error: { ...body.error, ...about } };
    const message = `The response did not come from the service (status ${status}).`;
    return { ok: false, error: { ...clientFailure('UNREACHABLE', message), ...about } };
  } catch (thrown) {
    if (thrown instanceof FailureError) return { ok: false, error: thrown.failure };
    signal?.throwIfAborted();
    return failedWith('UNREACHABLE', 'The service cannot be reached.');
  }
}

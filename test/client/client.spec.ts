import { parseSetCookie } from 'cookie';
import { ApiError, createClient, unwrap, type Client, type Failure } from '../../client/src/index';
import { bearer, PASSWORD, type Member } from '../support/actors';
import { TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { uploadOf } from '../support/picture-files';

describe('the typed client', () => {
  let t: TestApp;
  let owner: Member;
  let sent: string[];
  /** Replaces the response of a request. undefined: the request is sent. */
  let fault: ((path: string) => Response | Error | undefined | Promise<undefined>) | undefined;
  beforeAll(async () => {
    t = await TestApp.start();
    owner = await t.actors.owner({ plan: 'Pro' });
  });
  afterAll(() => t.close());
  beforeEach(() => {
    sent = [];
    fault = undefined;
  });

  /** A fetch that records the requests and can fail. */
  const recordingFetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const path = new URL(request.url).pathname.replace('/api/v1', '');
    sent.push(`${request.method} ${path}`);
    const replaced = await fault?.(path);
    if (replaced instanceof Error) throw replaced;
    return replaced ?? fetch(request);
  };
  const clientOf = (refreshToken?: string, onRefreshToken?: (token: string | null) => void): Client =>
    createClient({
      baseUrl: t.address,
      session: { keep: 'token', refreshToken, onRefreshToken },
      fetch: recordingFetch,
    });
  const signedIn = async (onRefreshToken?: (token: string | null) => void) => {
    const api = clientOf(undefined, onRefreshToken);
    unwrap(await api.POST('/auth/login', { body: { email: owner.user.email, password: PASSWORD } }));
    return api;
  };
  const refreshes = () => sent.filter((request) => request === 'POST /auth/refresh').length;

  it('sends a file as it is, again after a rejected token', async () => {
    const api = await signedIn();
    const file = new Blob([new Uint8Array(await uploadOf('png', 10, 10))], { type: 'image/png' });
    let isRejected = false;
    fault = (path) => {
      if (path !== '/users/me/picture' || isRejected) return undefined;
      isRejected = true;
      return Response.json({ success: false, error: { code: 'ACCESS_TOKEN_EXPIRED', message: '' } }, { status: 401 });
    };
    const { pictureUrl } = unwrap(await api.PUT('/users/me/picture', { body: file }));
    expect(pictureUrl).toMatch(/\/api\/v1\/pictures\/[\w-]{22}$/);
    expect(sent.filter((request) => request === 'PUT /users/me/picture')).toHaveLength(2);
    const text = new Blob(['hello'], { type: 'text/plain' });
    expect(await api.PUT('/users/me/picture', { body: text })).toMatchObject({ ok: false, error: { status: 415 } });
  });

  it('downloads a file, again after a rejected token, and returns a refusal as a value', async () => {
    const api = await signedIn();
    let rejections = 1;
    fault = (path) =>
      path === '/users/me/export' && rejections-- > 0
        ? Response.json({ success: false, error: { code: 'ACCESS_TOKEN_EXPIRED', message: '' } }, { status: 401 })
        : undefined;
    const response = unwrap(await api.download('/users/me/export'));
    expect(response.headers.get('Content-Disposition')).toContain('filename=');
    expect(await response.json()).toMatchObject({ lists: { account: [{ email: owner.user.email }] } });
    expect(sent.filter((request) => request === 'GET /users/me/export')).toHaveLength(2);
    const refused = await api.download('/tenants/current/audit-log/export');
    expect(refused).toMatchObject({ ok: false, error: { code: 'PLAN_REQUIRED', status: 402 } });
    // @ts-expect-error the answer is not a file
    expect((await api.download('/auth/me')).ok).toBe(true);
  });

  it('returns data without the envelope, and an error as a value with code, status and request id', async () => {
    const api = await signedIn();
    const me = await api.GET('/auth/me');
    expect(me.ok && me.data.user.email).toBe(owner.user.email);
    expect(api.session.claims()).toMatchObject({ sub: owner.user.id, tenant_id: owner.tenantId });
    const refused = await api.POST('/tenants/current/roles', { body: { name: '', permissions: ['no.such'] as never } });
    expect(refused).toEqual({
      ok: false,
      error: expect.objectContaining({
        code: 'VALIDATION_ERROR',
        status: 400,
        requestId: expect.any(String),
        details: expect.objectContaining({ name: [expect.any(String)] }),
      }),
    });
    expect(() => unwrap(refused)).toThrow(
      expect.objectContaining({ name: 'ApiError', failure: expect.objectContaining({ code: 'VALIDATION_ERROR' }) }),
    );
    const { error } = refused as { error: Failure };
    expect(new ApiError(error)).toMatchObject(error);
  });

  it('types the paths, the bodies and the error codes of each operation', async () => {
    const api = await signedIn();
    const created = await api.POST('/tenants/current/projects', { body: { name: 'Loom' } });
    expect(created.ok || created.error.code === 'PLAN_REQUIRED').toBe(true);
    // @ts-expect-error only registration returns this code
    expect(!created.ok && created.error.code === 'EMAIL_TAKEN').toBe(false);
    // @ts-expect-error the path does not exist
    expect(await api.GET('/no/such/path')).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    // @ts-expect-error the field does not exist
    expect(await api.POST('/auth/magic-link/request', { body: { mail: 'a' } })).toMatchObject({
      ok: false,
      error: { code: 'VALIDATION_ERROR' },
    });
  });

  it('refreshes once for all requests that find the access token expired, and resends each with its body', async () => {
    const api = await signedIn();
    t.clock.advance(16 * 60);
    const names = ['One', 'Two', 'Three'];
    const created = await Promise.all(names.map((name) => api.POST('/tenants/current/projects', { body: { name } })));
    expect(created.map((response) => response.ok && response.data.name)).toEqual(names);
    expect(refreshes()).toBe(1);
    expect(sent.filter((request) => request === 'POST /tenants/current/projects')).toHaveLength(6);
  });

  it('continues with a stored refresh token, and passes each new one to onRefreshToken', async () => {
    const stored: (string | null)[] = [];
    await signedIn((token) => stored.push(token));
    const next = clientOf(stored[0]!, (token) => stored.push(token));
    expect(await next.session.restore()).toMatchObject({ sub: owner.user.id });
    expect(stored).toEqual([expect.any(String), expect.any(String)]);
    expect(stored[1]).not.toBe(stored[0]);
    expect((await next.GET('/auth/me')).ok).toBe(true);
  });

  it('signs the user out when the service has ended the session', async () => {
    const stored: (string | null)[] = [];
    const api = await signedIn((token) => stored.push(token));
    let changes = 0;
    api.session.subscribe(() => changes++);
    await t.database.query('UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [owner.user.id]);
    t.clock.advance(16 * 60);
    const response = await api.GET('/auth/me');
    expect(response).toMatchObject({ ok: false, error: { status: 401 } });
    expect(api.session.claims()).toBeNull();
    expect(stored.at(-1)).toBeNull();
    expect(changes).toBe(1);
  });

  it('keeps the session and returns UNREACHABLE when the service cannot be reached', async () => {
    const api = await signedIn();
    fault = () => new TypeError('fetch failed');
    expect(await api.GET('/auth/me')).toMatchObject({ ok: false, error: { code: 'UNREACHABLE', status: 0 } });
    t.clock.advance(16 * 60);
    fault = (path) =>
      path === '/auth/refresh'
        ? new Response('<h1>Forbidden</h1>', { status: 403, headers: { 'Content-Type': 'text/html' } })
        : undefined;
    expect(await api.GET('/auth/me')).toMatchObject({ ok: false, error: { code: 'UNREACHABLE', status: 403 } });
    expect(api.session.claims()).not.toBeNull();
    fault = undefined;
    expect((await api.GET('/auth/me')).ok).toBe(true);
  });

  it('throws the reason with which the caller aborts an operation, whatever it is', async () => {
    const api = await signedIn();
    fault = () => new Promise<undefined>((resolve) => setTimeout(resolve, 100));
    const started = api.GET('/auth/me', { signal: AbortSignal.timeout(20) });
    await expect(started).rejects.toMatchObject({ name: 'TimeoutError' });
    const reason = new Error('The page was left.');
    await expect(api.GET('/auth/me', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    fault = undefined;
    expect((await api.GET('/auth/me', { signal: AbortSignal.timeout(10_000) })).ok).toBe(true);
  });

  it('does not refresh after INVALID_CREDENTIALS', async () => {
    const api = await signedIn();
    const response = await api.PUT('/auth/password', {
      body: { currentPassword: 'not it at all', newPassword: 'another good one' },
    });
    expect(response).toMatchObject({ ok: false, error: { code: 'INVALID_CREDENTIALS' } });
    expect(refreshes()).toBe(0);
  });

  it('does not resend a request after the active tenant has changed', async () => {
    const [api, otherTab] = [await signedIn(), await signedIn()];
    const created = unwrap(await otherTab.POST('/tenants', { body: { name: 'Second' } }));
    const switched = unwrap(await otherTab.POST('/auth/switch-tenant', { body: { tenantId: created.id } }));
    t.clock.advance(16 * 60);
    sent = [];
    // Tabs share the cookie, so a refresh in this tab returns the tenant that the other one
    // activated.
    fault = (path) => (path === '/auth/refresh' ? Response.json({ success: true, data: switched }) : undefined);
    expect(await api.POST('/tenants/current/projects', { body: { name: 'Meant for the first' } })).toMatchObject({
      error: { code: 'SESSION_CHANGED' },
    });
    expect(sent).toEqual(['POST /tenants/current/projects', 'POST /auth/refresh']);
    expect(api.session.claims()?.tenant_id).toBe(created.id);
  });

  it('refreshes once and stays signed in after the user was removed from the active tenant', async () => {
    const remover = await t.actors.owner();
    const member = await t.actors.member(remover);
    const api = clientOf(member.refreshToken);
    expect(await api.session.restore()).toMatchObject({ tenant_id: remover.tenantId });
    const accessToken = (await api.session.token()) as { data: string };
    await t.api.delete(`/tenants/current/members/${member.user.id}`).set(remover.bearer).expect(200);
    const isEnded = async () =>
      (await t.api.get('/auth/me').set(bearer(accessToken.data))).body.error?.code === 'SESSION_ENDED' || undefined;
    await eventually(isEnded, 'the end of the token');
    sent = [];
    expect(await api.GET('/tenants/current/members')).toMatchObject({ ok: false, error: { code: 'SESSION_CHANGED' } });
    expect(sent).toEqual(['GET /tenants/current/members', 'POST /auth/refresh']);
    expect(api.session.claims()).toMatchObject({ sub: member.user.id });
    expect(api.session.claims()?.tenant_id).toBeUndefined();
    expect((await api.GET('/auth/me')).ok).toBe(true);
    expect(refreshes()).toBe(1);
  });

  it('receives no refresh token in a browser, and refreshes by the cookie', async () => {
    const cookies = new Map<string, string>();
    const names = new Set<string | null>();
    const browser: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      names.add(request.headers.get('X-Session'));
      request.headers.set('Cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
      const response = await recordingFetch(request);
      for (const { name, value } of response.headers.getSetCookie().map((line) => parseSetCookie(line)))
        cookies.set(name, value!);
      return response;
    };
    const api = createClient({ baseUrl: t.address, session: { keep: 'cookie' }, fetch: browser });
    expect(
      unwrap(await api.POST('/auth/login', { body: { email: owner.user.email, password: PASSWORD } })),
    ).not.toHaveProperty('refreshToken');
    const first = cookies.get('refresh_token');
    t.clock.advance(16 * 60);
    expect((await api.GET('/auth/me')).ok).toBe(true);
    expect(refreshes()).toBe(1);
    expect(cookies.get('refresh_token')).not.toBe(first);
    expect([...names]).toEqual(['web']);
    expect(api.signInUrl('google')).toBe(`${t.address}/api/v1/auth/google?session=web`);
    expect(clientOf().signInUrl('google')).toBe(`${t.address}/api/v1/auth/google`);
    api.session.close();
  });

  it('signs out at the service, so that the refresh token cannot be used again', async () => {
    const stored: (string | null)[] = [];
    const api = await signedIn((token) => stored.push(token));
    const spent = stored[0]!;
    expect(await api.logOut()).toMatchObject({ ok: true });
    expect(api.session.claims()).toBeNull();
    const again = clientOf(spent);
    expect(await again.session.restore()).toBeNull();
  });

  it('ends the session when the user signs out during a refresh', async () => {
    const stored: (string | null)[] = [];
    const api = await signedIn((token) => stored.push(token));
    const renewing = api.session.renew();
    const [, left] = await Promise.all([renewing, api.logOut()]);
    expect(left).toMatchObject({ ok: true });
    expect(api.session.claims()).toBeNull();
    expect(stored.at(-1)).toBeNull();
    expect(await clientOf(stored.at(-2)!).session.restore()).toBeNull();
  });

  it('switches the tenant during a refresh and stays signed in', async () => {
    const api = await signedIn();
    const created = unwrap(await api.POST('/tenants', { body: { name: 'Elsewhere' } }));
    const [, switched] = await Promise.all([
      api.session.renew(),
      api.POST('/auth/switch-tenant', { body: { tenantId: created.id } }),
      api.session.renew(),
    ]);
    expect(switched).toMatchObject({ ok: true });
    expect(api.session.claims()?.tenant_id).toBe(created.id);
    await api.session.renew();
    expect((await api.GET('/auth/me')).ok).toBe(true);
  });

  it('does not switch the tenant if another user signed in while the switch waited for the lock', async () => {
    const other = await t.actors.owner();
    const api = await signedIn();
    const [, switched] = await Promise.all([
      api.POST('/auth/login', { body: { email: other.user.email, password: PASSWORD } }),
      api.POST('/auth/switch-tenant', { body: { tenantId: other.tenantId } }),
    ]);
    expect(switched).toMatchObject({ ok: false, error: { code: 'SESSION_CHANGED' } });
    expect(api.session.claims()?.sub).toBe(other.user.id);
  });

  it('uses the response of a refresh that arrives after the timeout', async () => {
    const stored: (string | null)[] = [];
    const api = await signedIn((token) => stored.push(token));
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date'] });
    let respond = () => undefined as void;
    fault = (path) =>
      path === '/auth/refresh' ? new Promise<undefined>((resolve) => (respond = () => resolve(undefined))) : undefined;
    const renewing = api.session.renew();
    await new Promise((resolve) => setImmediate(resolve));
    jest.advanceTimersByTime(31_000);
    jest.useRealTimers();
    expect(await renewing).toMatchObject({ kind: 'failed', failure: { code: 'UNREACHABLE' } });
    fault = undefined;
    respond();
    await eventually(() => stored.length === 2 || undefined, 'the late token');
    expect((await api.session.renew()).kind).toBe('renewed');
  });

  it('stops waiting for the lock when the signal of its caller is aborted', async () => {
    const api = await signedIn();
    const locked = api.session.withLock(() => new Promise((resolve) => setTimeout(resolve, 300)));
    const login = api.POST('/auth/login', {
      body: { email: owner.user.email, password: PASSWORD },
      signal: AbortSignal.timeout(20),
    });
    await expect(login).rejects.toMatchObject({ name: 'TimeoutError' });
    await locked;
  });

  it('delivers new notifications, including those sent while the stream was interrupted', async () => {
    const host = await t.actors.owner({ plan: 'Pro' });
    const api = clientOf();
    unwrap(await api.POST('/auth/login', { body: { email: host.user.email, password: PASSWORD } }));
    const seen: string[] = [];
    const stop = new AbortController();
    let isConnected = false;
    const followed = api.notifications(
      {
        onNotification: (notification) =>
          seen.push(notification.kind === 'MemberInvited' ? notification.data.email : notification.kind),
        onConnected: (is) => (isConnected = is),
      },
      stop.signal,
    );
    const until = (condition: () => boolean, what: string) => eventually(() => condition() || undefined, what);
    const colleague = await t.actors.member(host, 'Admin'); // the inviting user is not notified
    const invite = (email: string) =>
      t.api.post('/tenants/current/invitations').set(colleague.bearer).send({ email }).expect(200);
    const interrupt = () => (t.nest.getHttpServer() as { closeAllConnections(): void }).closeAllConnections();
    await until(() => isConnected, 'the stream');
    await new Promise((resolve) => setTimeout(resolve, 200)); // its first event follows the headers
    interrupt();
    await invite('first@example.com');
    await until(() => seen.length === 1, 'the first');
    interrupt();
    await invite('second@example.com');
    await until(() => seen.length === 2, 'the second');
    expect(seen).toEqual(['first@example.com', 'second@example.com']);
    stop.abort();
    await followed;
  });
});

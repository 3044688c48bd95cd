import {
  IdentityProvider,
  type ProviderFault,
  type ProviderAccount,
  type ProviderName,
} from '../../../dev/identity-provider';
import { ProviderClient } from '../../../src/auth/providers/provider-client';
import { bearer, claimsOf } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';
import { Browser, fragmentOf } from '../../support/browser';
import { linksOf, someone, usersWithEmail } from '../../support/provider-users';

const PROVIDERS: ProviderName[] = ['google', 'github'];

describe.each(PROVIDERS)('signing in with %s', (provider) => {
  const identityProvider = new IdentityProvider();
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ identityProvider, env: { LOG_LEVEL: 'trace' } });
    Object.assign(t.nest.get(ProviderClient), { timeoutMs: 300 });
  });
  afterAll(() => t.close());

  const me = async ({ accessToken }: Record<string, string>) =>
    (await t.api.get('/auth/me').set(bearer(accessToken)).expect(200)).body.data;
  const signIn = (account: ProviderAccount) => new Browser(t).signIn(provider, account);
  const users = (email: string | null) => usersWithEmail(t, email);
  const begin = (browser: Browser) => browser.begin(provider);
  const links = (email: string) => linksOf(t, provider, email);

  it('redirects the browser with state and PKCE, and sets a cookie for ten minutes', async () => {
    const { status, headers } = await new Browser(t).open(`/auth/${provider}`);
    expect(status).toBe(302);
    const { origin, searchParams } = new URL(headers.location);
    expect(origin).toBe(identityProvider.url);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: `local-${provider}`,
      response_type: 'code',
      redirect_uri: `http://localhost:3000/api/v1/auth/${provider}/callback`,
      scope: provider === 'google' ? 'openid email profile' : 'read:user,user:email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(headers['set-cookie']).toHaveLength(1);
    expect(headers['set-cookie'][0]).toMatch(
      new RegExp(
        `^${provider}_sign_in_[0-9a-f]{16}=[\\w.-]+; Max-Age=600; Path=/api/v1/auth/${provider}; ` +
          'Expires=[^;]+; HttpOnly; SameSite=Lax$',
      ),
    );
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cache-control']).toBe('no-store');
  });

  it('creates a verified account with a tenant and no password, and redirects with the tokens', async () => {
    const account = someone();
    const browser = new Browser(t);
    const { status, headers } = await (async () => {
      const { pathname, search } = new URL(await identityProvider.pick(await browser.begin(provider), account));
      return browser.open(pathname.replace('/api/v1', '') + search);
    })();
    expect(status).toBe(302);
    expect(headers.location).toMatch(
      /^http:\/\/localhost:5173#accessToken=[\w.-]+&refreshToken=[\w-]{64}&expiresIn=900$/,
    );
    expect(headers['referrer-policy']).toBe('no-referrer');
    const fragment = fragmentOf(headers.location);
    expect(browser.cookie('refresh_token')).toBe(fragment.refreshToken);
    expect(browser.cookieOf(`${provider}_sign_in`)).toBeUndefined();
    const { user, tenant, role } = await me(fragment);
    expect(user).toMatchObject({
      email: account.email,
      name: 'Grace Hopper',
      isEmailVerified: true,
      pictureUrl: account.pictureUrl,
      isAdmin: false,
    });
    expect([tenant.name, role]).toEqual(["Grace Hopper's workspace", 'Owner']);
    expect(await users(account.email)).toEqual([{ id: user.id, passwordHash: null }]);
    await t.api.post('/auth/refresh').send({ refreshToken: fragment.refreshToken }).expect(200);
    const [{ data }] = await t.database.query<{ data: object }>(
      `SELECT data FROM audit_log WHERE actor_id = $1 AND action = 'user.signed-in'`,
      [user.id],
    );
    expect(data).toEqual({ method: provider, linked: true });
  });

  it('finds the account by the id at the provider', async () => {
    const account = someone();
    const [first, second] = [await me(await signIn(account)), await me(await signIn(account))];
    expect(second.user.id).toBe(first.user.id);
    expect(second.tenant.id).toBe(first.tenant.id);
    expect(await links(account.email!)).toHaveLength(1);
  });

  it('links the verified account with the same address, keeps password and sessions, and sets a picture', async () => {
    const local = await t.actors.signedInUser({ email: `local-${provider}@example.com` });
    const { user } = await me(await signIn(someone({ email: local.user.email })));
    expect(user).toMatchObject({ id: local.user.id, name: 'Ada', pictureUrl: 'https://pictures.test/grace.png' });
    await t.actors.signIn(local.user.email);
    await t.actors.refreshed(local);
  });

  it('ignores the case of an address', async () => {
    const local = await t.actors.user({ email: `case-${provider}@example.com` });
    expect((await me(await signIn(someone({ email: `CASE-${provider}@Example.COM` })))).user.id).toBe(local.id);
  });

  it.each([
    ['access_denied', 'PROVIDER_DENIED'],
    ['server_error', 'PROVIDER_FAILED'],
    ['Secret%20words%20in%20the%20address', 'PROVIDER_FAILED'],
    ['', 'PROVIDER_FAILED'],
  ])('passes the error %s of the provider to the web client', async (error, expected) => {
    const browser = new Browser(t);
    const state = new URL(await browser.begin(provider)).searchParams.get('state');
    expect(
      await browser.comeBack(`http://localhost/api/v1/auth/${provider}/callback?error=${error}&state=${state}`),
    ).toEqual({ error: expected });
    expect(browser.cookieOf(`${provider}_sign_in`)).toBeUndefined();
  });

  const steps = provider === 'google' ? (['token', 'profile'] as const) : (['token', 'profile', 'emails'] as const);
  const ways: ProviderFault[] = ['down', 'slow', 'garbage', 'null', 'error'];
  it.each(steps.flatMap((what) => ways.map((how) => [what, how] as const)))(
    'reports a fault of the provider (%s: %s) to the web client, and recovers afterwards',
    async (what, how) => {
      const account = someone();
      identityProvider.injectFault(what, how);
      expect(await signIn(account)).toEqual({ error: 'PROVIDER_FAILED' });
      identityProvider.injectFault(what, undefined);
      expect(await signIn(account)).toHaveProperty('accessToken');
    },
  );

  it('finishes the flows of several tabs in any order, each once, also those of a double click', async () => {
    const browser = new Browser(t);
    const begun = [...(await Promise.all([begin(browser), begin(browser)])), await begin(browser)];
    const responses = await Promise.all(begun.map((address) => identityProvider.pick(address, someone())));
    for (const response of [...responses].reverse())
      expect(await browser.comeBack(response)).toHaveProperty('accessToken');
    for (const response of responses)
      expect(await browser.comeBack(response)).toEqual({ error: 'PROVIDER_STATE_INVALID' });
  });

  it('finishes beside a flow at the other provider, and refuses the state of another browser', async () => {
    const [browser, stranger] = [new Browser(t), new Browser(t)];
    const other = provider === 'google' ? 'github' : 'google';
    const begun = [await browser.begin(provider), await browser.begin(other), await browser.begin(provider)];
    const foreign = await identityProvider.pick(await stranger.begin(provider), someone());
    expect(await browser.comeBack(foreign)).toEqual({ error: 'PROVIDER_STATE_INVALID' });
    for (const address of begun)
      expect(await browser.comeBack(await identityProvider.pick(address, someone()))).toHaveProperty('accessToken');
  });

  it('keeps five flows in a browser, and ends the oldest for another one', async () => {
    const browser = new Browser(t);
    const begun: string[] = [];
    for (let flow = 0; flow < 7; flow++) {
      begun.push(await browser.begin(provider));
      t.clock.advance(1);
    }
    expect(browser.countCookies(`${provider}_sign_in`)).toBe(5);
    const finish = async (address: string) => browser.comeBack(await identityProvider.pick(address, someone()));
    for (const ended of begun.slice(0, 2)) expect(await finish(ended)).toEqual({ error: 'PROVIDER_STATE_INVALID' });
    for (const open of begun.slice(2)) expect(await finish(open)).toHaveProperty('accessToken');
  });

  it('consumes nothing on prefetching', async () => {
    const browser = new Browser(t);
    const response = await identityProvider.pick(await browser.begin(provider), someone());
    const { pathname, search } = new URL(response);
    const { name, value } = browser.cookieOf(`${provider}_sign_in`)!;
    const cookie = `${name}=${value}`;
    await t.http
      .head(pathname + search)
      .set('Cookie', cookie)
      .expect(204);
    await t.http
      .get(pathname + search)
      .set('Cookie', cookie)
      .set('Sec-Purpose', 'prefetch')
      .expect(204);
    expect(await browser.comeBack(response)).toHaveProperty('accessToken');
  });

  it('creates one account for two simultaneous sign-ins of a new user', async () => {
    const account = someone();
    const fragment = await Promise.all([1, 2, 3].map(() => signIn(account)));
    expect(new Set(fragment.map(({ accessToken }) => claimsOf(accessToken).sub)).size).toBe(1);
    expect(await users(account.email)).toHaveLength(1);
    const signIns = await t.database.query<{ data: { linked?: true } }>(
      `SELECT data FROM audit_log WHERE actor_id = $1 AND action = 'user.signed-in'`,
      [(await users(account.email))[0].id],
    );
    expect(signIns.filter(({ data }) => data.linked)).toHaveLength(1);
    expect(
      await t.database.query(`SELECT FROM tenants WHERE id IN (SELECT tenant_id FROM memberships WHERE user_id = $1)`, [
        (await users(account.email))[0].id,
      ]),
    ).toHaveLength(1);
  });

  it('does not log codes, states or tokens', async () => {
    const browser = new Browser(t);
    const address = new URL(await identityProvider.pick(await browser.begin(provider), someone()));
    const secrets = [
      address.searchParams.get('code')!,
      address.searchParams.get('state')!,
      browser.cookieOf(`${provider}_sign_in`)!.value,
    ];
    const fragment = await browser.comeBack(address.toString());
    const log = t.logLines.join('');
    expect(log).toContain(`/api/v1/auth/${provider}/callback`);
    for (const secret of [...secrets, fragment.accessToken, fragment.refreshToken, `local-${provider}-secret`])
      expect(log).not.toContain(secret);
  });
});

describe('a provider that is not configured', () => {
  it.each(PROVIDERS)('responds with 404 (%s)', async (provider) => {
    const t = await TestApp.start({ env: { WORKER: 'off' } });
    for (const path of [`/auth/${provider}`, `/auth/${provider}/callback?code=x&state=y`]) {
      expect(codeOf(await t.api.get(path).set('Accept', 'text/html').expect(404))).toBe('PROVIDER_NOT_CONFIGURED');
    }
    await t.close();
  });
});

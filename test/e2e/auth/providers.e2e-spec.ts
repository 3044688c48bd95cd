import { CommandBus } from '@nestjs/cqrs';
import {
  IdentityProvider,
  type ProviderFault,
  type ProviderAccount,
  type ProviderName,
} from '../../../dev/identity-provider';
import { PurgeExpired } from '../../../src/auth/commands/purge-expired';
import { ProviderClient } from '../../../src/auth/providers/provider-client';
import { MINUTE } from '../../../src/platform/clock';
import { bearer, claimsOf, PASSWORD } from '../../support/actors';
import { codeOf } from '../../support/answers';
import { TestApp } from '../../support/app';
import { Browser, fragmentOf } from '../../support/browser';

const PROVIDERS: ProviderName[] = ['google', 'github'];
let people = 0;

/** Somebody with an account at a provider. */
function someone(wanted: Partial<ProviderAccount> = {}): ProviderAccount {
  const id = String(1000 + people++);
  return {
    id,
    name: 'Grace Hopper',
    email: `grace${id}@example.com`,
    isEmailVerified: true,
    pictureUrl: 'https://pictures.test/grace.png',
    ...wanted,
  };
}

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
  const users = (email: string | null) => t.database.query<{ id: string; passwordHash: string | null }>(
    'SELECT id, password_hash AS "passwordHash" FROM users WHERE email = $1', [email]); // prettier-ignore
  const links = (email: string) => t.database.query<{ id: string }>(
    'SELECT provider_user_id AS id FROM linked_providers p JOIN users u ON u.id = p.user_id WHERE u.email = $1 AND provider = $2', [email, provider]); // prettier-ignore

  it('sends the browser to the provider with state and PKCE, bound to it by a cookie of ten minutes', async () => {
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
        `^${provider}_sign_in=[\\w.-]+; Max-Age=600; Path=/api/v1/auth/${provider}; Expires=[^;]+; HttpOnly; SameSite=Lax$`,
      ),
    );
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cache-control']).toBe('no-store');
  });

  it('makes a verified account without password and with a tenant, and sends the browser to the web client with the pair', async () => {
    const account = someone();
    const browser = new Browser(t);
    const { status, headers } = await (async () => {
      const { pathname, search } = new URL(await identityProvider.pick(await browser.begin(provider), account));
      return browser.open(pathname.replace('/api/v1', '') + search);
    })();
    expect(status).toBe(302);
    expect(headers.location).toMatch(
      /^http:\/\/localhost:5173#accessToken=[\w.-]+&refreshToken=[\w-]{43}&expiresIn=900$/,
    );
    expect(headers['referrer-policy']).toBe('no-referrer');
    const told = fragmentOf(headers.location);
    expect(browser.cookie('refresh_token')).toBe(told.refreshToken);
    expect(browser.cookie(`${provider}_sign_in`)).toBeUndefined();
    const { user, tenant, role } = await me(told);
    expect(user).toMatchObject({
      email: account.email,
      name: 'Grace Hopper',
      isEmailVerified: true,
      pictureUrl: account.pictureUrl,
      isAdmin: false,
    });
    expect([tenant.name, role]).toEqual(["Grace Hopper's workspace", 'Owner']);
    expect(await users(account.email)).toEqual([{ id: user.id, passwordHash: null }]);
    await t.api.post('/auth/refresh').send({ refreshToken: told.refreshToken }).expect(200);
    const [{ data }] = await t.database.query<{ data: object }>(
      `SELECT data FROM audit_log WHERE actor_id = $1 AND action = 'user.signed-in'`,
      [user.id],
    );
    expect(data).toEqual({ method: provider, linked: true });
  });

  it('finds the account again, by the id at the provider', async () => {
    const account = someone();
    const [first, second] = [await me(await signIn(account)), await me(await signIn(account))];
    expect(second.user.id).toBe(first.user.id);
    expect(second.tenant.id).toBe(first.tenant.id);
    expect(await links(account.email!)).toHaveLength(1);
  });

  it('links the verified account with the same address, whose password and sessions stay, and takes the picture where there was none', async () => {
    const local = await t.actors.person({ email: `local-${provider}@example.com` });
    const { user } = await me(await signIn(someone({ email: local.user.email })));
    expect(user).toMatchObject({ id: local.user.id, name: 'Ada', pictureUrl: 'https://pictures.test/grace.png' });
    await t.actors.signIn(local.user.email);
    await t.actors.refreshed(local);
  });

  it('takes an address for the same in any case', async () => {
    const local = await t.actors.user({ email: `case-${provider}@example.com` });
    expect((await me(await signIn(someone({ email: `CASE-${provider}@Example.COM` })))).user.id).toBe(local.id);
  });

  describe('is not fooled:', () => {
    it.each([
      ['an address that the provider does not call verified', { isEmailVerified: false }],
      ['no address', { email: null }],
      ['an address that is none', { email: 'grace' }],
    ])('%s makes no account and links none', async (_what, wanted) => {
      const local = await t.actors.user();
      const account = someone({ email: local.email, ...wanted });
      expect(await signIn(account)).toEqual({ error: 'PROVIDER_EMAIL_UNVERIFIED' });
      expect(await links(local.email)).toEqual([]);
      if (account.email !== local.email) expect(await users(account.email)).toEqual([]);
    });

    it('a changed address leads to the account of before, not to another that has it', async () => {
      const account = someone();
      const { user } = await me(await signIn(account));
      const other = await t.actors.user();
      for (const changed of [{ email: other.email }, { email: null }, { isEmailVerified: false }]) {
        expect((await me(await signIn({ ...account, ...changed }))).user).toMatchObject({
          id: user.id,
          email: account.email,
        });
      }
      expect(await links(other.email)).toEqual([]);
    });

    it('another account at the provider with the same verified address gets in, as by its mailbox, and replaces no link', async () => {
      const account = someone();
      const { user } = await me(await signIn(account));
      expect((await me(await signIn(someone({ email: account.email })))).user.id).toBe(user.id);
      expect(await links(account.email!)).toEqual([{ id: account.id }]);
    });

    it("a stranger's password and sessions on an unverified account are gone when the mailbox's owner comes, and a mail says so", async () => {
      const account = someone();
      await t.api
        .post('/auth/register')
        .send({ email: account.email, password: PASSWORD, name: 'Mallory' })
        .expect(201);
      const [{ id }] = await users(account.email);
      await t.database.query(
        `INSERT INTO sessions (id, user_id, created_at, last_used_at, expires_at)
          VALUES (gen_random_uuid(), $1, now(), now(), now() + interval '1 day')`,
        [id],
      );
      const { user } = await me(await signIn(account));
      expect(user).toMatchObject({ id, isEmailVerified: true });
      expect(await users(account.email)).toEqual([{ id, passwordHash: null }]);
      const live = await t.database.query<{ id: string }>(
        'SELECT id FROM sessions WHERE user_id = $1 AND revoked_at IS NULL',
        [id],
      );
      expect(live).toHaveLength(1);
      expect(
        codeOf(await t.api.post('/auth/login').send({ email: account.email, password: PASSWORD }).expect(401)),
      ).toBe('INVALID_CREDENTIALS');
      const mail = await t.mailbox.titled(account.email!, 'Your password was removed');
      expect(mail.text).toContain('http://localhost:5173');
      const [{ data }] = await t.database.query<{ data: object }>(
        `SELECT data FROM audit_log WHERE actor_id = $1 AND action = 'user.signed-in'`,
        [id],
      );
      expect(data).toEqual({ method: provider, linked: true, passwordRemoved: true });
    });

    it('a disabled account stays closed, linked or not, and as it was', async () => {
      const account = someone();
      const { user } = await me(await signIn(account));
      await t.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [user.id]);
      expect(await signIn(account)).toEqual({ error: 'ACCOUNT_DISABLED' });
      const local = await t.actors.user({ isEmailVerified: false, disabledAt: new Date() });
      expect(await signIn(someone({ email: local.email }))).toEqual({ error: 'ACCOUNT_DISABLED' });
      expect([await links(local.email), (await users(local.email))[0].passwordHash]).toEqual([[], local.passwordHash]);
    });

    it('an answer to a sign-in that another browser began, or none, is refused', async () => {
      const [begun, other, idle] = [new Browser(t), new Browser(t), new Browser(t)];
      const answer = await identityProvider.pick(await begun.begin(provider), someone());
      await other.begin(provider);
      for (const browser of [other, idle])
        expect(await browser.comeBack(answer)).toEqual({ error: 'PROVIDER_STATE_INVALID' });
    });

    it('a cookie of the other provider, one that was tampered with, and an access token in its place are refused', async () => {
      const foreign = provider === 'google' ? 'github' : 'google';
      const account = someone();
      const [browser, tampering] = [new Browser(t), new Browser(t)];
      await browser.begin(foreign);
      const { searchParams } = new URL(await identityProvider.pick(await tampering.begin(provider), account));
      const { accessToken } = await t.actors.person();
      for (const value of [
        browser.cookie(`${foreign}_sign_in`)!,
        `${tampering.cookie(`${provider}_sign_in`)!.slice(0, -2)}xx`,
        accessToken,
      ]) {
        const { headers } = await t.api
          .get(`/auth/${provider}/callback`)
          .query(Object.fromEntries(searchParams))
          .set('Cookie', `${provider}_sign_in=${value}`)
          .expect(302);
        expect(fragmentOf(headers.location)).toEqual({ error: 'PROVIDER_STATE_INVALID' });
      }
    });

    it('an answer that is replayed is refused: in the same browser, and by who has stolen its cookie', async () => {
      const [browser, thief] = [new Browser(t), new Browser(t)];
      const answer = await identityProvider.pick(await browser.begin(provider), someone());
      thief.steal(browser);
      expect(await browser.comeBack(answer)).toHaveProperty('accessToken');
      expect(await browser.comeBack(answer)).toEqual({ error: 'PROVIDER_STATE_INVALID' });
      expect(await thief.comeBack(answer)).toEqual({ error: 'PROVIDER_STATE_INVALID' }); // before the provider is asked
    });

    it('of several answers to one sign-in at the same moment, one is taken; also with another code', async () => {
      const browser = new Browser(t);
      const answer = await identityProvider.pick(await browser.begin(provider), someone());
      const thieves = [1, 2, 3].map(() => new Browser(t));
      thieves.forEach((thief) => thief.steal(browser));
      const told = await Promise.all([browser, ...thieves].map((each) => each.comeBack(answer)));
      expect(told.filter((fragment) => fragment.accessToken)).toHaveLength(1);
      expect(told.filter(({ error }) => error === 'PROVIDER_STATE_INVALID')).toHaveLength(3);
      const [state] = await t.database.query<{ all: string }>(
        'SELECT string_agg(s::text, $1) AS all FROM used_sign_in_states s',
        [' '],
      );
      expect(state.all).not.toContain(new URL(answer).searchParams.get('state'));
    });

    it('what is kept of an answer is purged when its cookie would not be accepted any more', async () => {
      await signIn(someone());
      t.clock.advance(10 * MINUTE + 1);
      await t.nest.get(CommandBus).execute(new PurgeExpired());
      expect(await t.database.query('SELECT FROM used_sign_in_states')).toEqual([]);
    });

    it('a code of another sign-in does not fit the one that was begun', async () => {
      const [victim, attacker] = [new Browser(t), new Browser(t)];
      const stolen = new URL(await identityProvider.pick(await attacker.begin(provider), someone()));
      const own = new URL(await identityProvider.pick(await victim.begin(provider), someone()));
      own.searchParams.set('code', stolen.searchParams.get('code')!);
      expect(await victim.comeBack(own.toString())).toEqual({ error: 'PROVIDER_FAILED' });
    });

    it('an answer after ten minutes is refused', async () => {
      const browser = new Browser(t);
      const answer = await identityProvider.pick(await browser.begin(provider), someone());
      t.clock.advance(10 * MINUTE + 1);
      expect(await browser.comeBack(answer)).toEqual({ error: 'PROVIDER_STATE_INVALID' });
    });

    it('an answer that was made up, and a body where none belongs, stop no sign-in that goes on, and reach no log', async () => {
      const browser = new Browser(t);
      const answer = await identityProvider.pick(await browser.begin(provider), someone());
      for (const query of [
        'error=access_denied&state=x',
        'error=MADE-UP-BY-SOMEBODY',
        'code=x&state=y',
        'code=a&code=b&state=c&state=d',
        'code[x]=1',
      ]) {
        const madeUp = `http://localhost/api/v1/auth/${provider}/callback?${query}`;
        expect(await browser.comeBack(madeUp)).toEqual({ error: 'PROVIDER_STATE_INVALID' });
      }
      await t.api.get(`/auth/${provider}`).send({ code: 'x', state: 'y' }).redirects(0).expect(302);
      expect(t.logLines.join('')).not.toContain('MADE-UP');
      expect(await browser.comeBack(answer)).toHaveProperty('accessToken');
    });

    it('an address with a letter that only looks like another, once lowered, is none', async () => {
      const mike = await t.actors.user({ email: `mike-${provider}@example.com` });
      for (const email of [`mi\u212Ae-${provider}@example.com`, `M\u0130ke-${provider}@example.com`]) {
        expect(await signIn(someone({ email }))).toEqual({ error: 'PROVIDER_EMAIL_UNVERIFIED' });
      }
      expect(await links(mike.email)).toEqual([]);
      const ute = await t.actors.user({ email: `üte-${provider}@example.com` });
      expect(claimsOf((await signIn(someone({ email: `Üte-${provider}@EXAMPLE.com` }))).accessToken).sub).toBe(ute.id);
    });

    it.each([
      ['a picture that is none', { pictureUrl: 'javascript:alert(1)' }, { pictureUrl: null }],
      ['a picture that cannot be stored', { pictureUrl: 'https://a.example/\u0000' }, { pictureUrl: null }],
      ['a name that cannot be stored', { name: 'Gra\u0000ce' }, { name: 'Gra ce' }],
      ['a name of any length', { name: 'x'.repeat(5000) }, { name: 'x'.repeat(100) }],
      ['no name', { name: ' ' }, { name: expect.stringMatching(/^grace\d+$/) }],
    ])('%s does no harm', async (_what, wanted, shown) => {
      expect((await me(await signIn(someone(wanted)))).user).toMatchObject(shown);
    });

    it('an address with a code, opened where a sign-in begins, begins one', async () => {
      const { headers } = await new Browser(t).open(`/auth/${provider}?code=x&state=y`);
      expect(headers.location).toContain(identityProvider.url);
      expect(await new Browser(t).comeBack(`http://localhost/api/v1/auth/${provider}/callback`)).toEqual({
        error: 'PROVIDER_STATE_INVALID',
      });
    });
  });

  it.each([
    ['access_denied', 'PROVIDER_DENIED'],
    ['server_error', 'PROVIDER_FAILED'],
    ['Secret%20words%20in%20the%20address', 'PROVIDER_FAILED'],
    ['', 'PROVIDER_FAILED'],
  ])('tells the web client when the provider says %s', async (error, expected) => {
    const browser = new Browser(t);
    const state = new URL(await browser.begin(provider)).searchParams.get('state');
    expect(
      await browser.comeBack(`http://localhost/api/v1/auth/${provider}/callback?error=${error}&state=${state}`),
    ).toEqual({ error: expected });
    expect(browser.cookie(`${provider}_sign_in`)).toBeUndefined();
  });

  const steps = provider === 'google' ? (['token', 'profile'] as const) : (['token', 'profile', 'emails'] as const);
  const ways: ProviderFault[] = ['down', 'slow', 'garbage', 'null', 'error'];
  it.each(steps.flatMap((what) => ways.map((how) => [what, how] as const)))(
    'tells the web client when the provider is not itself (%s: %s), and goes on afterwards',
    async (what, how) => {
      const account = someone();
      identityProvider.injectFault(what, how);
      expect(await signIn(account)).toEqual({ error: 'PROVIDER_FAILED' });
      identityProvider.injectFault(what, undefined);
      expect(await signIn(account)).toHaveProperty('accessToken');
    },
  );

  it('consumes nothing when somebody only looks', async () => {
    const browser = new Browser(t);
    const answer = await identityProvider.pick(await browser.begin(provider), someone());
    const { pathname, search } = new URL(answer);
    const cookie = `${provider}_sign_in=${browser.cookie(`${provider}_sign_in`)}`;
    await t.http
      .head(pathname + search)
      .set('Cookie', cookie)
      .expect(204);
    await t.http
      .get(pathname + search)
      .set('Cookie', cookie)
      .set('Sec-Purpose', 'prefetch')
      .expect(204);
    expect(await browser.comeBack(answer)).toHaveProperty('accessToken');
  });

  it('makes one account when the same new person comes in twice at the same moment', async () => {
    const account = someone();
    const told = await Promise.all([1, 2, 3].map(() => signIn(account)));
    expect(new Set(told.map(({ accessToken }) => claimsOf(accessToken).sub)).size).toBe(1);
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

  it('keeps codes, state and tokens out of the log', async () => {
    const browser = new Browser(t);
    const address = new URL(await identityProvider.pick(await browser.begin(provider), someone()));
    const secrets = [
      address.searchParams.get('code')!,
      address.searchParams.get('state')!,
      browser.cookie(`${provider}_sign_in`)!,
    ];
    const told = await browser.comeBack(address.toString());
    const log = t.logLines.join('');
    expect(log).toContain(`/api/v1/auth/${provider}/callback`);
    for (const secret of [...secrets, told.accessToken, told.refreshToken, `local-${provider}-secret`])
      expect(log).not.toContain(secret);
  });
});

describe('a provider that is not set up', () => {
  it.each(PROVIDERS)('answers 404 (%s)', async (provider) => {
    const t = await TestApp.start({ env: { WORKER: 'off' } });
    for (const path of [`/auth/${provider}`, `/auth/${provider}/callback?code=x&state=y`]) {
      expect(codeOf(await t.api.get(path).set('Accept', 'text/html').expect(404))).toBe('PROVIDER_NOT_CONFIGURED');
    }
    await t.close();
  });
});

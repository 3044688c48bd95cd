import { CommandBus } from '@nestjs/cqrs';
import { IdentityProvider, type ProviderAccount, type ProviderName } from '../../../dev/identity-provider';
import { PurgeExpired } from '../../../src/auth/commands/purge-expired';
import { ProviderClient } from '../../../src/auth/providers/provider-client';
import { MINUTE } from '../../../src/platform/clock';
import { bearer, claimsOf, PASSWORD } from '../../support/actors';
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
  const links = (email: string) => linksOf(t, provider, email);

  describe('resists attacks:', () => {
    it.each([
      ['an unverified address', { isEmailVerified: false }],
      ['no address', { email: null }],
      ['an invalid address', { email: 'grace' }],
    ])('%s neither creates nor links an account', async (_what, wanted) => {
      const local = await t.actors.user();
      const account = someone({ email: local.email, ...wanted });
      expect(await signIn(account)).toEqual({ error: 'PROVIDER_EMAIL_UNVERIFIED' });
      expect(await links(local.email)).toEqual([]);
      if (account.email !== local.email) expect(await users(account.email)).toEqual([]);
    });

    it('a changed address leads to the linked account, not to the one with the new address', async () => {
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

    it('another identity with the same verified address signs in, but replaces no link', async () => {
      const account = someone();
      const { user } = await me(await signIn(account));
      expect((await me(await signIn(someone({ email: account.email })))).user.id).toBe(user.id);
      expect(await links(account.email!)).toEqual([{ id: account.id }]);
    });

    it("a stranger's password, name and sessions are removed when the owner signs in", async () => {
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
      expect(user).toMatchObject({ id, isEmailVerified: true, name: account.name });
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

    it('a disabled account stays disabled and unchanged, linked or not', async () => {
      const account = someone();
      const { user } = await me(await signIn(account));
      await t.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [user.id]);
      expect(await signIn(account)).toEqual({ error: 'ACCOUNT_DISABLED' });
      const local = await t.actors.user({ isEmailVerified: false, disabledAt: new Date() });
      expect(await signIn(someone({ email: local.email }))).toEqual({ error: 'ACCOUNT_DISABLED' });
      expect([await links(local.email), (await users(local.email))[0].passwordHash]).toEqual([[], local.passwordHash]);
    });

    it('a callback without a sign-in that was started in this browser is refused', async () => {
      const [begun, other, idle] = [new Browser(t), new Browser(t), new Browser(t)];
      const response = await identityProvider.pick(await begun.begin(provider), someone());
      await other.begin(provider);
      for (const browser of [other, idle])
        expect(await browser.comeBack(response)).toEqual({ error: 'PROVIDER_STATE_INVALID' });
    });

    it('a cookie of the other provider, a tampered cookie and an access token instead of one are refused', async () => {
      const foreign = provider === 'google' ? 'github' : 'google';
      const account = someone();
      const [browser, tampering] = [new Browser(t), new Browser(t)];
      await browser.begin(foreign);
      const { searchParams } = new URL(await identityProvider.pick(await tampering.begin(provider), account));
      const { accessToken } = await t.actors.signedInUser();
      for (const value of [
        browser.cookieOf(`${foreign}_sign_in`)!.value,
        `${tampering.cookieOf(`${provider}_sign_in`)!.value.slice(0, -2)}xx`,
        accessToken,
      ]) {
        const { headers } = await t.api
          .get(`/auth/${provider}/callback`)
          .query(Object.fromEntries(searchParams))
          .set('Cookie', `${tampering.cookieOf(`${provider}_sign_in`)!.name}=${value}`)
          .expect(302);
        expect(fragmentOf(headers.location)).toEqual({ error: 'PROVIDER_STATE_INVALID' });
      }
    });

    it('a replayed callback is refused in the same browser and with a stolen cookie', async () => {
      const [browser, thief] = [new Browser(t), new Browser(t)];
      const response = await identityProvider.pick(await browser.begin(provider), someone());
      thief.steal(browser);
      expect(await browser.comeBack(response)).toHaveProperty('accessToken');
      expect(await browser.comeBack(response)).toEqual({ error: 'PROVIDER_STATE_INVALID' });
      // before the provider is asked
      expect(await thief.comeBack(response)).toEqual({ error: 'PROVIDER_STATE_INVALID' });
    });

    it('one of several simultaneous callbacks succeeds, also with different codes', async () => {
      const browser = new Browser(t);
      const response = await identityProvider.pick(await browser.begin(provider), someone());
      const thieves = [1, 2, 3].map(() => new Browser(t));
      thieves.forEach((thief) => thief.steal(browser));
      const fragments = await Promise.all([browser, ...thieves].map((each) => each.comeBack(response)));
      expect(fragments.filter((fragment) => fragment.accessToken)).toHaveLength(1);
      expect(fragments.filter(({ error }) => error === 'PROVIDER_STATE_INVALID')).toHaveLength(3);
      const [state] = await t.database.query<{ all: string }>(
        'SELECT string_agg(s::text, $1) AS all FROM used_sign_in_states s',
        [' '],
      );
      expect(state.all).not.toContain(new URL(response).searchParams.get('state'));
    });

    it('a used state is purged when its cookie has expired', async () => {
      await signIn(someone());
      t.clock.advance(10 * MINUTE + 1);
      await t.nest.get(CommandBus).execute(new PurgeExpired());
      expect(await t.database.query('SELECT FROM used_sign_in_states')).toEqual([]);
    });

    it('a code of another sign-in is refused', async () => {
      const [victim, attacker] = [new Browser(t), new Browser(t)];
      const stolen = new URL(await identityProvider.pick(await attacker.begin(provider), someone()));
      const own = new URL(await identityProvider.pick(await victim.begin(provider), someone()));
      own.searchParams.set('code', stolen.searchParams.get('code')!);
      expect(await victim.comeBack(own.toString())).toEqual({ error: 'PROVIDER_FAILED' });
    });

    it('a callback after ten minutes is refused', async () => {
      const browser = new Browser(t);
      const response = await identityProvider.pick(await browser.begin(provider), someone());
      t.clock.advance(10 * MINUTE + 1);
      expect(await browser.comeBack(response)).toEqual({ error: 'PROVIDER_STATE_INVALID' });
    });

    it('a forged callback or request body does not interrupt a sign-in, and is not logged', async () => {
      const browser = new Browser(t);
      const response = await identityProvider.pick(await browser.begin(provider), someone());
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
      expect(await browser.comeBack(response)).toHaveProperty('accessToken');
    });

    it('an address with a character that only lower-cases to another one does not match', async () => {
      const mike = await t.actors.user({ email: `mike-${provider}@example.com` });
      for (const email of [`mi\u212Ae-${provider}@example.com`, `M\u0130ke-${provider}@example.com`]) {
        expect(await signIn(someone({ email }))).toEqual({ error: 'PROVIDER_EMAIL_UNVERIFIED' });
      }
      expect(await links(mike.email)).toEqual([]);
      const ute = await t.actors.user({ email: `üte-${provider}@example.com` });
      expect(claimsOf((await signIn(someone({ email: `Üte-${provider}@EXAMPLE.com` }))).accessToken).sub).toBe(ute.id);
    });

    it.each([
      ['an invalid picture', { pictureUrl: 'javascript:alert(1)' }, { pictureUrl: null }],
      ['a picture that cannot be stored', { pictureUrl: 'https://a.example/\u0000' }, { pictureUrl: null }],
      ['a name that cannot be stored', { name: 'Gra\u0000ce' }, { name: 'Gra ce' }],
      ['a name of any length', { name: 'x'.repeat(5000) }, { name: 'x'.repeat(100) }],
      ['no name', { name: ' ' }, { name: expect.stringMatching(/^grace\d+$/) }],
    ])('%s is handled', async (_what, wanted, shown) => {
      expect((await me(await signIn(someone(wanted)))).user).toMatchObject(shown);
    });

    it('a code in the query of the first step starts a new sign-in', async () => {
      const { headers } = await new Browser(t).open(`/auth/${provider}?code=x&state=y`);
      expect(headers.location).toContain(identityProvider.url);
      expect(await new Browser(t).comeBack(`http://localhost/api/v1/auth/${provider}/callback`)).toEqual({
        error: 'PROVIDER_STATE_INVALID',
      });
    });
  });
});

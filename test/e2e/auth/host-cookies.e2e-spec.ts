import { IdentityProvider } from '../../../dev/identity-provider';
import { DAY } from '../../../src/platform/clock';
import { PASSWORD } from '../../support/actors';
import { TestApp } from '../../support/app';
import { someone } from '../../support/provider-users';

/** A page on a neighboring host can set cookies for the whole domain, but none with this prefix. */
describe('The cookies over HTTPS', () => {
  const identityProvider = new IdentityProvider();
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ identityProvider, env: { COOKIE_SECURE: 'true', MAIL_LINKS: 'confirm' } });
  });
  afterAll(() => t.close());

  const setBy = ({ headers }: { headers: Record<string, unknown> }) => (headers['set-cookie'] ?? []) as string[];
  const pairsOf = (response: { headers: Record<string, unknown> }) =>
    setBy(response).map((cookie) => cookie.split(';')[0]);
  const logIn = (email: string) => t.api.post('/auth/login').send({ email, password: PASSWORD }).expect(200);
  const refresh = (cookie: string) => t.api.post('/auth/refresh').set('Cookie', cookie).send({});
  const tokenOf = async (email: string) => (await logIn(email)).body.data.refreshToken as string;

  it('have the prefix, Secure and the path of the whole host', async () => {
    const { email } = await t.actors.user();
    const responses = [
      await logIn(email),
      await t.api.post('/auth/magic-link/request').set('X-Session', 'web').send({ email }).expect(200),
      await t.api.post('/auth/register').send({ email: 'new@example.test', password: PASSWORD, name: 'N' }).expect(201),
      await t.api.get('/auth/google').redirects(0).expect(302),
    ];
    const cookies = responses.flatMap(setBy);
    expect(new Set(cookies.map((cookie) => cookie.split('=')[0].replace(/_[0-9a-f]{16}$/, '')))).toEqual(
      new Set(
        ['refresh_token', 'signed_in', 'device', 'link_request', 'web_session', 'registration', 'google_sign_in'].map(
          (name) => `__Host-${name}`,
        ),
      ),
    );
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; Path=\/; /);
      expect(cookie).toMatch(/; HttpOnly; Secure; /);
      expect(cookie).not.toContain('Domain');
    }
  });

  it('keep their user signed in beside cookies of a neighboring host under the earlier names', async () => {
    const [victim, attacker] = [await t.actors.user(), await t.actors.user()];
    const own = pairsOf(await logIn(victim.email)).join('; ');
    const tossed = `refresh_token=${await tokenOf(attacker.email)}`;
    const { body } = await refresh(`${tossed}; ${own}; ${tossed}`).expect(200);
    const { sub } = JSON.parse(Buffer.from(body.data.accessToken.split('.')[1], 'base64url').toString());
    expect(sub).toBe(victim.id);
  });

  it('sign nobody out at the upgrade: earlier names are read and replaced until a date, and not after it', async () => {
    const { email } = await t.actors.user();
    const moved = await refresh(`refresh_token=${await tokenOf(email)}`).expect(200);
    expect(
      setBy(moved).some((cookie) => cookie.startsWith('refresh_token=; Path=/api/v1/auth; Expires=Thu, 01 Jan 1970')),
    ).toBe(true);
    const own = pairsOf(moved)
      .filter((pair) => pair.startsWith('__Host-'))
      .join('; ');
    const out = await t.api.post('/auth/logout').set('Cookie', own).send({}).expect(200);
    expect(pairsOf(out)).toContain('__Host-refresh_token=');
    t.clock.advance(400 * DAY);
    await refresh(`refresh_token=${await tokenOf(email)}`).expect(400); // as without a token
    await refresh(`__Host-refresh_token=${await tokenOf(email)}`).expect(200);
  });

  it('finish a sign-in at a provider', async () => {
    const begun = await t.api.get('/auth/google').redirects(0).expect(302);
    const { pathname, search } = new URL(await identityProvider.pick(begun.headers.location, someone()));
    const { headers } = await t.http
      .get(pathname + search)
      .set('Cookie', pairsOf(begun).join('; '))
      .redirects(0)
      .expect(302);
    expect(headers.location).toContain('#accessToken=');
  });
});

import { IdentityProvider } from '../../../dev/identity-provider';
import { bearer, claimsOf, type Pair } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Browser, fragmentOf } from '../../support/browser';

/** A stranger registers the address of an admin, and its owner verifies it. */
describe('an address of ADMIN_EMAILS', () => {
  let t: TestApp;
  const identityProvider = new IdentityProvider();
  const addresses = [
    'root@example.test',
    'changed@example.test',
    'reset@example.test',
    'linked@example.test',
    'by.mail@example.test',
  ];
  beforeAll(async () => {
    t = await TestApp.start({ identityProvider, env: { ADMIN_EMAILS: addresses.join() } });
  });
  afterAll(() => t.close());

  const STRANGERS = 'attacker knows this 1';
  const NEW = 'chosen by the owner 1';
  const logIn = async (email: string, password: string) =>
    (await t.api.post('/auth/login').send({ email, password }).expect(200)).body.data as Pair;
  const isAdmin = ({ accessToken }: Pick<Pair, 'accessToken'>) => claimsOf(accessToken).is_admin;
  /** A stranger registers an address, and its owner opens the mailed link. */
  const hijacked = async (email: string) => {
    await t.api.post('/auth/register').send({ email, password: STRANGERS, name: 'Mallory' }).expect(201);
    const token = await t.mailbox.token(email);
    return (await t.api.get('/auth/verify-email').query({ token }).expect(200)).body.data as Pair;
  };
  const refreshed = async ({ refreshToken }: Pair) =>
    (await t.api.post('/auth/refresh').send({ refreshToken }).expect(200)).body.data as Pair;

  it('grants admin access to the owner who opened the link, but not to a stranger with the password', async () => {
    const owner = await hijacked('root@example.test');
    expect([isAdmin(owner), isAdmin(await refreshed(owner))]).toEqual([true, true]);
    const stranger = await logIn('root@example.test', STRANGERS);
    expect(isAdmin(stranger)).toBe(false);
    await t.api.get('/admin/users').set(bearer(stranger.accessToken)).expect(403);
    const me = await t.api.get('/auth/me').set(bearer(stranger.accessToken)).expect(200);
    expect(me.body.data.user.isAdmin).toBe(false);
    const renamed = await t.api.patch('/users/me').set(bearer(stranger.accessToken)).send({ name: 'Root' }).expect(200);
    expect(renamed.body.data.isAdmin).toBe(false);
    expect(isAdmin(await refreshed(stranger))).toBe(false);
  });

  it('does not grant admin access to a stranger who changes the password', async () => {
    await hijacked('changed@example.test');
    const stranger = await logIn('changed@example.test', STRANGERS);
    const change = { currentPassword: STRANGERS, newPassword: 'another one of theirs' };
    await t.api.put('/auth/password').set(bearer(stranger.accessToken)).send(change).expect(200);
    expect(isAdmin(await refreshed(stranger))).toBe(false);
    expect(isAdmin(await logIn('changed@example.test', change.newPassword))).toBe(false);
  });

  it('grants admin access to the owner with a password set in a proven session or by a reset', async () => {
    const owner = await hijacked('reset@example.test');
    await t.api
      .put('/auth/password')
      .set(bearer(owner.accessToken))
      .send({ currentPassword: STRANGERS, newPassword: NEW })
      .expect(200);
    expect(isAdmin(await logIn('reset@example.test', NEW))).toBe(true);
    await t.database.query('UPDATE users SET password_set_at = created_at WHERE email = $1', ['reset@example.test']);
    expect(isAdmin(await logIn('reset@example.test', NEW))).toBe(false);
    t.clock.advance(1);
    await t.api.post('/auth/password/forgot').send({ email: 'reset@example.test' }).expect(200);
    const token = await t.mailbox.token('reset@example.test', 2);
    await t.api.post('/auth/password/reset').send({ token, password: NEW }).expect(200);
    expect(isAdmin(await logIn('reset@example.test', NEW))).toBe(true);
  });

  it('grants admin access to the owner by a provider and by a magic link', async () => {
    const email = 'linked@example.test';
    const provided = await new Browser(t).signIn('google', { id: '1', name: 'Root', email, isEmailVerified: true });
    expect(isAdmin(provided as unknown as Pair)).toBe(true);
    await hijacked('by.mail@example.test');
    await t.api.post('/auth/magic-link/request').send({ email: 'by.mail@example.test' }).expect(200);
    const token = await t.mailbox.token('by.mail@example.test', 2);
    const { headers } = await t.api.get('/auth/magic-link/verify').query({ token }).redirects(0).expect(302);
    expect(isAdmin(fragmentOf(headers.location) as unknown as Pair)).toBe(true);
  });

  it('needs the same proof when admin access is stored in the account', async () => {
    const email = 'granted@example.test';
    const owner = await hijacked(email);
    await t.database.query('UPDATE users SET is_admin = true WHERE email = $1', [email]);
    expect(isAdmin(await refreshed(owner))).toBe(true);
    expect(isAdmin(await logIn(email, STRANGERS))).toBe(false);
    expect(
      isAdmin(await t.actors.signIn((await t.actors.user({ isAdmin: true, email: 'proven@example.test' })).email)),
    ).toBe(true);
  });
});

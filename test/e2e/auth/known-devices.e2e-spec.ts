import { IdentityProvider } from '../../../dev/identity-provider';
import { OneTimeTokenRepository } from '../../../src/auth/data/one-time-token.repository';
import { KnownDevices } from '../../../src/auth/services/known-devices';
import { DAY } from '../../../src/platform/clock';
import { withRequestContext } from '../../../src/platform/observability/request-context';
import { claimsOf, PASSWORD } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Browser } from '../../support/browser';
import { untilNoJobIsLeft } from '../../support/job-queue';

describe('a known device', () => {
  let t: TestApp;
  const identityProvider = new IdentityProvider();
  beforeAll(async () => {
    t = await TestApp.start({ identityProvider, env: { COOKIE_SECURE: 'true' } });
  });
  afterAll(() => t.close());

  const logIn = (email: string, cookie = '') =>
    t.api.post('/auth/login').set('Cookie', cookie).send({ email, password: PASSWORD });
  const deviceIn = ({ headers }: { headers: Record<string, unknown> }) =>
    ((headers['set-cookie'] ?? []) as string[]).find((line) => line.startsWith('__Host-device='));
  const pairIn = (response: { headers: Record<string, unknown> }) => deviceIn(response)!.split(';')[0];
  const isKnown = (device: string, userId: string) =>
    withRequestContext(
      { requestId: 'test', ip: null, userAgent: null, deviceCookie: device.replace('__Host-device=', '') },
      () => t.nest.get(KnownDevices).isKnown(userId),
    );

  it('is remembered in an HttpOnly cookie for 400 days', async () => {
    const [user, stranger] = [await t.actors.user(), await t.actors.user()];
    const response = await logIn(user.email).expect(200);
    expect(deviceIn(response)).toMatch(/; Max-Age=34560000; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
    expect(isKnown(pairIn(response), user.id)).toBe(true);
    expect(isKnown(pairIn(response), stranger.id)).toBe(false);
    t.clock.advance(400 * DAY + 1);
    expect(isKnown(pairIn(response), user.id)).toBe(false);
  });

  it('is not created by a failed sign-in or a refresh', async () => {
    const actor = await t.actors.signedInUser();
    const refused = await t.api.post('/auth/login').send({ email: actor.user.email, password: 'wrong' }).expect(401);
    const refreshed = await t.api.post('/auth/refresh').send({ refreshToken: actor.refreshToken }).expect(200);
    expect([deviceIn(refused), deviceIn(refreshed)]).toEqual([undefined, undefined]);
  });

  it('is recognized on sign-ins by provider and mailed link, so that only the first one is mailed', async () => {
    const { email, id } = await t.actors.user();
    const account = { id: 'g-known', name: 'Ada', email, isEmailVerified: true };
    await new Browser(t).signIn('google', account);
    await t.mailbox.titled(email, 'Google was linked to your account');
    const browser = new Browser(t);
    await browser.signIn('google', account);
    await t.mailbox.titled(email, 'New sign-in to your account');
    await browser.signIn('google', account);
    const token = await t.nest.get(OneTimeTokenRepository).issue(id, 'magic-link');
    expect((await browser.open(`/auth/magic-link/verify?token=${token}`, true)).headers.location).toContain(
      'accessToken=',
    );
    await untilNoJobIsLeft(t);
    expect(t.mailbox.to(email)).toHaveLength(2);
  });

  it('stays known to other accounts after a registration by invitation', async () => {
    const [user, owner] = [await t.actors.user(), await t.actors.owner()];
    const device = pairIn(await logIn(user.email).expect(200));
    expect(deviceIn(await logIn(user.email, device).expect(200))).toContain('Path=/;');
    await t.api
      .post('/tenants/current/invitations')
      .set(owner.bearer)
      .send({ email: 'invited@example.com' })
      .expect(200);
    const token = await t.mailbox.token('invited@example.com');
    const joined = await t.api
      .post('/invitations/register')
      .set('Cookie', device)
      .send({ token, name: 'Ada', password: PASSWORD })
      .expect(200);
    const invited = claimsOf((joined.body as { data: { accessToken: string } }).data.accessToken).sub as string;
    expect([isKnown(pairIn(joined), user.id), isKnown(pairIn(joined), invited)]).toEqual([true, true]);
  });

  it('is remembered for the last five accounts', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => t.actors.user()));
    let device = '';
    for (const { email } of users) device = pairIn(await logIn(email, device).expect(200));
    expect(users.map(({ id }) => isKnown(device, id))).toEqual([false, true, true, true, true, true]);
    device = pairIn(await logIn(users[1].email, device).expect(200));
    device = pairIn(await logIn(users[0].email, device).expect(200));
    expect(users.map(({ id }) => isKnown(device, id))).toEqual([true, true, false, true, true, true]);
  });

  it('is created by every sign-in method, but not by a cookie with an invalid signature', async () => {
    const user = await t.actors.user();
    const token = await t.nest.get(OneTimeTokenRepository).issue(user.id, 'magic-link');
    const byLink = await t.api.get('/auth/magic-link/verify').query({ token }).redirects(0).expect(302);
    expect(isKnown(pairIn(byLink), user.id)).toBe(true);
    const browser = new Browser(t);
    await browser.signIn('google', { id: '1', name: 'Ada', email: user.email, isEmailVerified: true });
    expect(isKnown(browser.cookie('__Host-device')!, user.id)).toBe(true);
    const [header, , signature] = browser.cookie('__Host-device')!.split('.');
    const forged = Buffer.from(JSON.stringify({ deviceId: 'x', accounts: [user.id], aud: 'device' })).toString(
      'base64url',
    );
    for (const cookie of [`${header}.${forged}.${signature}`, 'nonsense', ''])
      expect(isKnown(cookie, user.id)).toBe(false);
  });
});

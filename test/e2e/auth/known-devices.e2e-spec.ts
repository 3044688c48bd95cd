import { IdentityProvider } from '../../../dev/identity-provider';
import { OneTimeTokenRepository } from '../../../src/auth/data/one-time-token.repository';
import { KnownDevices } from '../../../src/auth/known-devices';
import { DAY } from '../../../src/platform/clock';
import { withRequestContext } from '../../../src/platform/request-context';
import { PASSWORD } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Browser } from '../../support/browser';

describe('a device that somebody signed in with', () => {
  let t: TestApp;
  const identityProvider = new IdentityProvider();
  beforeAll(async () => {
    await identityProvider.start();
    t = await TestApp.start({ identityProvider, env: { COOKIE_SECURE: 'true' } });
  });
  afterAll(async () => {
    await t.close();
    await identityProvider.stop();
  });

  const logIn = (email: string, cookie = '') => t.api.post('/auth/login').set('Cookie', cookie).send({ email, password: PASSWORD });
  const deviceIn = ({ headers }: { headers: Record<string, unknown> }) =>
    ((headers['set-cookie'] ?? []) as string[]).find((line) => line.startsWith('device='));
  const pairIn = (answer: { headers: Record<string, unknown> }) => deviceIn(answer)!.split(';')[0];
  const isKnown = (device: string, userId: string) =>
    withRequestContext({ requestId: 'test', ip: null, userAgent: null, deviceCookie: device.replace('device=', '') }, () =>
      t.nest.get(KnownDevices).isKnown(userId),
    );

  it('is known to the account by a cookie that no script can read, for 400 days', async () => {
    const [user, stranger] = [await t.actors.user(), await t.actors.user()];
    const answer = await logIn(user.email).expect(200);
    expect(deviceIn(answer)).toMatch(/; Max-Age=34560000; Path=\/api\/v1\/auth; .*HttpOnly; Secure; SameSite=Strict$/);
    expect(isKnown(pairIn(answer), user.id)).toBe(true);
    expect(isKnown(pairIn(answer), stranger.id)).toBe(false);
    t.clock.advance(400 * DAY + 1);
    expect(isKnown(pairIn(answer), user.id)).toBe(false);
  });

  it('is not one after a refused sign-in, and a refresh does not make one', async () => {
    const person = await t.actors.person();
    const refused = await t.api.post('/auth/login').send({ email: person.user.email, password: 'wrong' }).expect(401);
    const refreshed = await t.api.post('/auth/refresh').send({ refreshToken: person.refreshToken }).expect(200);
    expect([deviceIn(refused), deviceIn(refreshed)]).toEqual([undefined, undefined]);
  });

  it('is known to the last five accounts', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => t.actors.user()));
    let device = '';
    for (const { email } of users) device = pairIn(await logIn(email, device).expect(200));
    expect(users.map(({ id }) => isKnown(device, id))).toEqual([false, true, true, true, true, true]);
    device = pairIn(await logIn(users[1].email, device).expect(200));
    device = pairIn(await logIn(users[0].email, device).expect(200));
    expect(users.map(({ id }) => isKnown(device, id))).toEqual([true, true, false, true, true, true]);
  });

  it('is known by every way in, and not by a cookie that this service has not made for it', async () => {
    const user = await t.actors.user();
    const token = await t.nest.get(OneTimeTokenRepository).issue(user.id, 'magic-link');
    const byLink = await t.api.get('/auth/magic-link/verify').query({ token }).redirects(0).expect(302);
    expect(isKnown(pairIn(byLink), user.id)).toBe(true);
    const browser = new Browser(t);
    await browser.signIn('google', { id: '1', name: 'Ada', email: user.email, isEmailVerified: true });
    expect(isKnown(browser.cookie('device')!, user.id)).toBe(true);
    const [header, , signature] = browser.cookie('device')!.split('.');
    const forged = Buffer.from(JSON.stringify({ deviceId: 'x', accounts: [user.id], aud: 'device' })).toString('base64url');
    for (const cookie of [`${header}.${forged}.${signature}`, 'nonsense', '']) expect(isKnown(cookie, user.id)).toBe(false);
  });
});

import { IdentityProvider } from '../../../dev/identity-provider';
import { DAY, MINUTE } from '../../../src/platform/clock';
import { bearer, PASSWORD, type SignedInUser } from '../../support/actors';
import { AuthenticatorApp } from '../../support/authenticator-app';
import { TestApp } from '../../support/app';
import { Browser } from '../../support/browser';
import { codeOf } from '../../support/error-code';
import { someone } from '../../support/provider-users';

const NEW_PASSWORD = 'another long phrase';

describe('whoever knows the password of an account with a second factor', () => {
  const identityProvider = new IdentityProvider();
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ identityProvider });
  });
  afterAll(() => t.close());

  const enrolled = async () => {
    const actor = await t.actors.signedInUser();
    return { actor, app: await AuthenticatorApp.enrol(t, actor) };
  };
  const logIn = (email: string, cookie = '', password = PASSWORD) =>
    t.api.post('/auth/login').set('Cookie', cookie).send({ email, password });
  const isAsked = async (email: string, cookie = '', password = PASSWORD) =>
    (await logIn(email, cookie, password).expect(200)).body.data.secondFactor !== undefined;
  const complete = (body: object, cookie = '') => t.api.post('/auth/second-factor').set('Cookie', cookie).send(body);
  const deviceIn = (headers: Record<string, unknown>) =>
    (headers['set-cookie'] as string[]).find((cookie) => cookie.startsWith('device='))!.split(';')[0];
  /** A session in a browser that is trusted from now on. */
  const trusting = async (actor: SignedInUser, app: AuthenticatorApp, known = '') => {
    const first = await logIn(actor.user.email, known).expect(200);
    const { ticket } = first.body.data.secondFactor;
    const done = await complete({ ticket, code: app.nextCode(), trustBrowser: true }, deviceIn(first.headers));
    return { device: deviceIn(done.headers), ...done.body.data, bearer: bearer(done.body.data.accessToken) };
  };

  it('cannot keep the account by adding a factor of their own: the owner of the mailbox removes it', async () => {
    const { actor } = await enrolled(); // the thief
    const { text } = await t.mailbox.titled(actor.user.email, 'An authenticator app was added to your account');
    const token = /token=([\w-]+)/.exec(text)![1];
    await t.api.post('/auth/secure-account').send({ token }).expect(200);
    await t.api.post('/auth/password/forgot').send({ email: actor.user.email }).expect(200);
    const reset = await t.mailbox.titled(actor.user.email, 'Reset your password');
    const link = { token: /token=([\w-]+)/.exec(reset.text)![1], password: NEW_PASSWORD };
    await t.api.post('/auth/password/reset').send(link).expect(200);
    expect(await isAsked(actor.user.email, '', NEW_PASSWORD)).toBe(false);
  });

  it('keeps a factor that was added more than three days ago, when the account is secured', async () => {
    const { actor } = await enrolled();
    t.clock.advance(3 * DAY + 1);
    await t.actors.user(); // another account changes nothing
    const { text } = await t.mailbox.titled(actor.user.email, 'An authenticator app was added to your account');
    await t.api
      .post('/auth/secure-account')
      .send({ token: /token=([\w-]+)/.exec(text)![1] })
      .expect(200);
    const rows = await t.database.query('SELECT FROM users WHERE id = $1 AND has_second_factor', [actor.user.id]);
    expect(rows).toHaveLength(1);
  });

  it('is no longer trusted after the session that they opened was ended', async () => {
    const { actor, app } = await enrolled();
    const thief = await trusting(actor, app);
    expect(await isAsked(actor.user.email, thief.device)).toBe(false);
    const { body } = await t.api.get('/auth/sessions').set(thief.bearer).expect(200);
    const { id } = body.data.items.find(({ current }: { current: boolean }) => current);
    await t.api.delete(`/auth/sessions/${id}`).set(actor.bearer).expect(200);
    expect(await isAsked(actor.user.email, thief.device)).toBe(true);
  });

  it('is no longer trusted after one of its refresh tokens was used twice', async () => {
    const { actor, app } = await enrolled();
    const thief = await trusting(actor, app);
    const refresh = () => t.api.post('/auth/refresh').send({ refreshToken: thief.refreshToken });
    await refresh().expect(200);
    expect(codeOf(await refresh().expect(401))).toBe('TOKEN_REUSE_DETECTED');
    expect(await isAsked(actor.user.email, thief.device)).toBe(true);
  });

  it('gains nothing from an older copy of the cookie of a browser that becomes trusted', async () => {
    const actor = await t.actors.signedInUser();
    const copied = await t.actors.knownDevice(actor.user.email);
    const app = await AuthenticatorApp.enrol(t, actor);
    const own = await trusting(actor, app, copied);
    expect(await isAsked(actor.user.email, own.device)).toBe(false);
    expect(await isAsked(actor.user.email, copied)).toBe(true);
  });

  it('cannot link an identity of theirs with it, which would be a lasting way in', async () => {
    const { actor } = await enrolled();
    const browser = new Browser(t);
    const fragment = await browser.signIn('github', someone({ email: actor.user.email }));
    expect(fragment.secondFactorTicket).toEqual(expect.any(String));
    const links = await t.database.query('SELECT FROM linked_providers WHERE user_id = $1', [actor.user.id]);
    expect(links).toEqual([]);
  });

  it('cannot change the password in a trusted browser without the factor', async () => {
    const { actor, app } = await enrolled();
    const { device } = await trusting(actor, app);
    const { body } = await logIn(actor.user.email, device).expect(200);
    const change = () =>
      t.api
        .put('/auth/password')
        .set(bearer(body.data.accessToken))
        .send({ currentPassword: PASSWORD, newPassword: NEW_PASSWORD });
    expect(codeOf(await change().expect(403))).toBe('STEP_UP_REQUIRED');
    const step = { code: app.nextCode() };
    await t.api.post('/auth/step-up').set(bearer(body.data.accessToken)).send(step).expect(200);
    await change().expect(200);
  });

  it('cannot lock the owner out of a known device, by ten failures or a hundred in a row', async () => {
    const { actor, app } = await enrolled();
    const { id, email } = actor.user;
    const device = await t.actors.knownDevice(email);
    const enter = async (code: string, cookie = '') => {
      const { ticket } = (await logIn(email, cookie).expect(200)).body.data.secondFactor;
      return complete({ ticket, code }, cookie);
    };
    for (let failure = 0; failure < 10; failure++) expect((await enter('000000')).status).toBe(401);
    expect((await enter(app.nextCode())).status).toBe(429);
    expect((await enter(app.nextCode(), device)).status).toBe(200);
    await t.database.query('UPDATE totp_factors SET attempts_in_row = 100 WHERE user_id = $1', [id]);
    expect((await enter(app.nextCode(), device)).status).toBe(200);
    // strangers stay locked out, and a known device has the same limit
    expect((await enter(app.nextCode())).status).toBe(429);
    for (let failure = 0; failure < 10; failure++) expect((await enter('000000', device)).status).toBe(401);
    expect((await enter(app.nextCode(), device)).status).toBe(429);
  });

  it('cannot displace the sign-in that waits in a known browser, by opening others', async () => {
    const { actor, app } = await enrolled();
    const { email } = actor.user;
    const device = await t.actors.knownDevice(email);
    const { ticket } = (await logIn(email, device).expect(200)).body.data.secondFactor;
    for (let opened = 0; opened < 31; opened++) expect(await isAsked(email)).toBe(true);
    await complete({ ticket, code: app.nextCode() }, device).expect(200);
  });

  it('is reported after ten wrong codes; a recovery code admits codes again, even after 100 in a row', async () => {
    const { actor, app } = await enrolled();
    const { email, id } = actor.user;
    const ticket = async () => (await logIn(email).expect(200)).body.data.secondFactor.ticket as string;
    for (let i = 0; i < 10; i++) await complete({ ticket: await ticket(), code: '000000' }).expect(401);
    await t.mailbox.titled(email, 'Several incorrect codes for your account');
    await t.database.query('UPDATE totp_factors SET attempts_in_row = 100 WHERE user_id = $1', [id]);
    t.clock.advance(16 * MINUTE);
    const refused = await complete({ ticket: await ticket(), code: app.nextCode() }).expect(429);
    expect(codeOf(refused)).toBe('TOO_MANY_ATTEMPTS');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await complete({ ticket: await ticket(), recoveryCode: app.recoveryCodes[0] }).expect(200);
    await complete({ ticket: await ticket(), code: app.nextCode() }).expect(200);
  });

  it('causes no email with a code to an account that proves its identity otherwise', async () => {
    const [{ actor }, plain] = [await enrolled(), await t.actors.signedInUser()];
    for (const by of [actor, plain])
      expect(codeOf(await t.api.post('/auth/step-up/email').set(by.bearer).expect(400))).toBe('VALIDATION_ERROR');
  });

  it('leaves no trust behind when the factor is replaced', async () => {
    const { actor, app } = await enrolled();
    const own = await trusting(actor, app);
    await t.api.delete('/auth/factors/totp').set(own.bearer).set('Cookie', own.device).expect(200);
    await AuthenticatorApp.enrol(t, own);
    expect(await isAsked(actor.user.email, own.device)).toBe(true);
  });
});

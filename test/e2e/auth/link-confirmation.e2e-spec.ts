import { OneTimeTokenRepository } from '../../../src/auth/data/one-time-token.repository';
import { PasswordHasher } from '../../../src/users/domain/password-hasher';
import { DAY } from '../../../src/platform/clock';
import { PlatformFailures } from '../../../src/platform/platform.failures';
import { err } from '../../../src/platform/result';
import { bearer, claimsOf, PASSWORD } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';

/**
 * Opening a mailed link must not consume it or sign anyone in, and must not activate a stranger's
 * password.
 */
describe('with MAIL_LINKS=confirm', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ env: { MAIL_LINKS: 'confirm' } });
  });
  afterAll(() => t.close());

  const STRANGERS = 'attacker knows this 1';
  const NEW = 'chosen by the owner 1';
  let users = 0;
  /** Registers a new address. @returns the registration with the cookie of its browser */
  const registered = async (email = `user${++users}@example.test`, password = PASSWORD, name = 'Ada') => {
    const mails = t.mailbox.to(email).length;
    const { headers } = await t.api.post('/auth/register').send({ email, password, name }).expect(201);
    const [line] = headers['set-cookie'] as unknown as string[];
    return { email, line, cookie: line.split(';')[0], token: await t.mailbox.token(email, mails + 1) };
  };
  const confirm = (body: { token: string; password?: string }, cookie = '') =>
    t.api.post('/auth/verify-email').set('Cookie', cookie).send(body);
  const open = (token: string, cookie = '') =>
    t.api.get('/auth/verify-email').set('Cookie', cookie).query({ token }).redirects(0);
  const logIn = (email: string, password: string) => t.api.post('/auth/login').send({ email, password });
  const expectAskedForPassword = (response: { body: { error: { code: string } } }) => {
    expect(codeOf(response)).toBe('VALIDATION_ERROR');
    expect(response.body).toMatchObject({
      error: { details: { password: [expect.stringContaining('another browser')] } },
    });
  };

  it('a verification link leads to a page of the web client that sends the token', async () => {
    const { email, token, cookie } = await registered();
    const { text } = await t.mailbox.last(email);
    expect(text).toContain('http://localhost:5173/verify-email#token=');
    expect(text).not.toContain('/api/v1/');
    const { body, headers } = await confirm({ token }, cookie).expect(200);
    expect(claimsOf(body.data.accessToken).email).toBe(email);
    expect(String(headers['set-cookie'])).toContain('refresh_token=');
    expect(codeOf(await confirm({ token }, cookie).expect(400))).toBe('VERIFICATION_TOKEN_INVALID');
  });

  describe('in the browser that registered', () => {
    it('an HttpOnly cookie remembers the registration for a day', async () => {
      const { line, cookie, token } = await registered();
      expect(line).toMatch(
        /^registration=[\w.-]+; Max-Age=86400; Path=\/api\/v1\/auth; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
      );
      t.clock.advance(DAY - 60);
      await confirm({ token }, cookie).expect(200);
    });

    it('a verification by POST or GET needs no password and keeps the registered one', async () => {
      for (const verify of [(token: string, cookie: string) => confirm({ token }, cookie), open]) {
        const { email, token, cookie } = await registered();
        await verify(token, cookie).expect(200);
        await logIn(email, PASSWORD).expect(200);
      }
    });

    it('a verification can still replace the password', async () => {
      const { email, token, cookie } = await registered();
      await confirm({ token, password: NEW }, cookie).expect(200);
      await logIn(email, PASSWORD).expect(401);
      await logIn(email, NEW).expect(200);
    });
  });

  describe('in another browser', () => {
    it('a verification by POST or GET requires a password and does not consume the token', async () => {
      const { email, token, cookie } = await registered();
      expectAskedForPassword(await confirm({ token }).expect(400));
      expectAskedForPassword(await open(token).expect(400));
      expect(codeOf(await logIn(email, PASSWORD).expect(400))).toBe('EMAIL_NOT_VERIFIED');
      await confirm({ token }, cookie).expect(200);
    });

    it('a verification with the registered password keeps it and marks it as proven', async () => {
      const { email, token } = await registered();
      t.clock.advance(60);
      const { body } = await confirm({ token, password: PASSWORD }).expect(200);
      const me = await t.api.get('/auth/me').set(bearer(body.data.accessToken)).expect(200);
      expect(me.body.data.user).toMatchObject({ email, name: 'Ada', isEmailVerified: true });
      await logIn(email, PASSWORD).expect(200);
      const [{ isProven }] = await t.database.query<{ isProven: boolean }>(
        `SELECT password_set_at = email_verified_at AND password_set_at > created_at AS "isProven"
           FROM users WHERE email = $1`,
        [email],
      );
      expect(isProven).toBe(true);
    });

    it('a verification replaces the password of a stranger who registered the address', async () => {
      const { email, token } = await registered(undefined, STRANGERS, 'Mallory');
      await confirm({ token, password: NEW }).expect(200);
      expect(codeOf(await logIn(email, STRANGERS).expect(401))).toBe('INVALID_CREDENTIALS');
      await logIn(email, NEW).expect(200);
    });

    it.each([
      ['too short', 'short'],
      ['common', 'password'],
      ['based on the address', 'THE.ADDRESS'],
      ['not a string', null],
    ])('a password that is %s is refused and does not consume the token', async (_what, password) => {
      const { email, token } = await registered(`the.address@${++users}.example.test`);
      const { body } = await confirm({ token, password: password as string }).expect(400);
      expect(Object.keys(body.error.details)).toEqual(['password']);
      expect(codeOf(await logIn(email, PASSWORD).expect(400))).toBe('EMAIL_NOT_VERIFIED');
      await confirm({ token, password: NEW }).expect(200);
    });

    it('a verification can be repeated after the service was too busy to hash the password', async () => {
      const { token } = await registered();
      const busy = jest.spyOn(t.nest.get(PasswordHasher), 'hash').mockResolvedValue(err(PlatformFailures.unavailable));
      await confirm({ token, password: NEW }).expect(503);
      busy.mockRestore();
      await confirm({ token, password: NEW }).expect(200);
    });

    it('one of two simultaneous verifications sets its password', async () => {
      const { email, token } = await registered();
      const passwords = [`${NEW}a`, `${NEW}b`];
      const responses = await Promise.all(passwords.map((password) => confirm({ token, password })));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
      const winner = responses.findIndex(({ status }) => status === 200);
      await logIn(email, passwords[winner]).expect(200);
      await logIn(email, passwords[1 - winner]).expect(401);
    });

    it('a cookie of another registration or with an invalid signature does not replace the password', async () => {
      const { email, token } = await registered(undefined, STRANGERS, 'Mallory');
      const again = await registered(email);
      const [header, , signature] = again.cookie.split('=')[1].split('.');
      const forged = Buffer.from(JSON.stringify({ registrationId: 'x', aud: 'registration', exp: 9e9 })).toString(
        'base64url',
      );
      const cookies = [
        again.cookie,
        (await registered()).cookie,
        `registration=${header}.${forged}.${signature}`,
        `${again.cookie}; ${again.cookie}`,
      ];
      for (const cookie of cookies) expectAskedForPassword(await confirm({ token }, cookie).expect(400));
      await confirm({ token: again.token }, again.cookie).expect(200);
      await logIn(email, PASSWORD).expect(200);
    });

    it('and in the registering one, a link without a registration requires a new password', async () => {
      const { email, cookie } = await registered();
      await registered(email, STRANGERS, 'Mallory');
      await t.api.post('/auth/resend-verification').send({ email }).expect(200);
      const token = await t.mailbox.token(email, 3);
      const asked = await confirm({ token }, cookie).expect(400);
      expect(asked.body).toMatchObject({
        error: { details: { password: [expect.stringContaining('choose a new one')] } },
      });
      await confirm({ token, password: NEW }, cookie).expect(200);
      for (const password of [PASSWORD, STRANGERS]) await logIn(email, password).expect(401);
      await logIn(email, NEW).expect(200);
    });

    it('an invalid link is reported before a missing password', async () => {
      const [user, { token }] = [await t.actors.user(), await registered()];
      const ofVerified = await t.nest.get(OneTimeTokenRepository).issue(user.id, 'verification');
      for (const other of ['unknown', ofVerified])
        expect(codeOf(await confirm({ token: other }).expect(400))).toBe('VERIFICATION_TOKEN_INVALID');
      t.clock.advance(DAY + 1);
      expect(codeOf(await confirm({ token }).expect(400))).toBe('VERIFICATION_TOKEN_EXPIRED');
    });
  });

  it('a magic link leads to a page of the web client that sends the token', async () => {
    const { email } = await t.actors.user();
    await t.api.post('/auth/magic-link/request').send({ email }).expect(200);
    const { text } = await t.mailbox.last(email);
    expect(text).toContain('http://localhost:5173/sign-in#token=');
    expect(text).not.toContain('/api/v1/');
    const confirm = (token: string) => t.api.post('/auth/magic-link/verify').send({ token });
    const token = await t.mailbox.token(email);
    const { body, headers } = await confirm(token).expect(200);
    expect(claimsOf(body.data.accessToken).email).toBe(email);
    expect(String(headers['set-cookie'])).toContain('refresh_token=');
    expect(codeOf(await confirm(token).expect(400))).toBe('MAGIC_LINK_INVALID');
  });
});

describe('with MAIL_LINKS=direct', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  it('no password is required, with and without the registration cookie', async () => {
    for (const verify of [
      (token: string, cookie = '') => t.api.post('/auth/verify-email').set('Cookie', cookie).send({ token }),
      (token: string) => t.api.get('/auth/verify-email').query({ token }),
    ]) {
      const email = `${verify('').method.toLowerCase()}@example.test`;
      const { headers } = await t.api
        .post('/auth/register')
        .send({ email, password: PASSWORD, name: 'Ada' })
        .expect(201);
      const [cookie] = (headers['set-cookie'] as unknown as string[])[0].split(';');
      await verify(await t.mailbox.token(email), cookie).expect(200);
      await t.actors.signIn(email);
    }
  });
});

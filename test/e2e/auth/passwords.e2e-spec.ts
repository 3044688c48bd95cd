import { HOUR } from '../../../src/platform/clock';
import { PASSWORD, type SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';

describe('passwords', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  const NEW = 'a wholly new one';
  const logIn = (email: string, password: string) => t.api.post('/auth/login').send({ email, password });
  const forgot = (email: string) => t.api.post('/auth/password/forgot').send({ email });
  const reset = (token: string, password = NEW) => t.api.post('/auth/password/reset').send({ token, password });
  const checkLink = (token: string) => t.api.post('/auth/password/check-link').send({ token });
  const change = (actor: SignedInUser, currentPassword: string, newPassword = NEW) =>
    t.api.put('/auth/password').set(actor.bearer).send({ currentPassword, newPassword });

  it('are reset with a mailed token, which ends all sessions', async () => {
    const actor = await t.actors.signedInUser();
    expect((await forgot(actor.user.email).expect(200)).body).toEqual({ success: true, data: null });
    const mail = await t.mailbox.last(actor.user.email);
    expect(mail.text).toContain('http://localhost:5173/reset-password#token=');
    expect((await reset(await t.mailbox.token(actor.user.email)).expect(200)).body).toEqual({
      success: true,
      data: null,
    });
    await logIn(actor.user.email, PASSWORD).expect(401);
    await logIn(actor.user.email, NEW).expect(200);
    await t.api.post('/auth/refresh').send({ refreshToken: actor.refreshToken }).expect(401);
  });

  it('get the same response for a reset of an unknown address, and no mail is sent', async () => {
    expect((await forgot('nobody@example.com').expect(200)).body).toEqual({ success: true, data: null });
    const { email } = await t.actors.user();
    await forgot(email).expect(200);
    await t.mailbox.last(email);
    expect(t.mailbox.to('nobody@example.com')).toEqual([]);
  });

  it('are reset once per token, also by simultaneous requests', async () => {
    const { email } = await t.actors.user();
    await forgot(email);
    const token = await t.mailbox.token(email);
    const responses = await Promise.all([reset(token, 'the first new one'), reset(token, 'the second new one')]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(responses.find(({ status }) => status === 400)!.body.error.code).toBe('RESET_TOKEN_INVALID');
  });

  it('do not consume the token when the new one is refused', async () => {
    const { email } = await t.actors.user();
    await forgot(email);
    const token = await t.mailbox.token(email);
    for (const bad of ['short', email, 'password1']) {
      expect((await reset(token, bad).expect(400)).body.error.details).toHaveProperty('password');
    }
    await reset(token).expect(200);
  });

  it('can be reset with a token for an hour', async () => {
    const { email } = await t.actors.user();
    await forgot(email);
    const token = await t.mailbox.token(email);
    t.clock.advance(HOUR - 30);
    await reset(token).expect(200);
  });

  it('cannot be reset with an unknown or expired token', async () => {
    const { email } = await t.actors.user();
    expect((await reset('unknown').expect(400)).body.error.code).toBe('RESET_TOKEN_INVALID');
    await forgot(email);
    const token = await t.mailbox.token(email);
    t.clock.advance(HOUR + 1);
    expect((await reset(token).expect(400)).body.error.code).toBe('RESET_TOKEN_EXPIRED');
  });

  it('have a link that can be checked without using it up', async () => {
    const { email } = await t.actors.user();
    await forgot(email);
    const token = await t.mailbox.token(email);
    for (let opened = 0; opened < 2; opened++)
      expect((await checkLink(token).expect(200)).body).toEqual({ success: true, data: null });
    await reset(token).expect(200);
    expect(codeOf(await checkLink(token).expect(400))).toBe('RESET_TOKEN_INVALID');
  });

  it('have a link that is refused by the check when it is unknown, expired or of another purpose', async () => {
    const [{ email }, other] = [await t.actors.user(), await t.actors.user()];
    expect(codeOf(await checkLink('unknown').expect(400))).toBe('RESET_TOKEN_INVALID');
    expect((await checkLink('').expect(400)).body.error.details).toHaveProperty('token');
    await t.api.post('/auth/magic-link/request').send({ email: other.email }).expect(200);
    expect(codeOf(await checkLink(await t.mailbox.token(other.email)).expect(400))).toBe('RESET_TOKEN_INVALID');
    await forgot(email);
    const token = await t.mailbox.token(email);
    t.clock.advance(HOUR + 1);
    expect(codeOf(await checkLink(token).expect(400))).toBe('RESET_TOKEN_EXPIRED');
  });

  it('are reset on an unverified account, which is verified by the mailed token', async () => {
    const email = 'never-verified@example.com';
    await t.api.post('/auth/register').send({ email, password: PASSWORD, name: 'Mallory' }).expect(201);
    const verification = await t.mailbox.token(email);
    await forgot(email);
    await reset(await t.mailbox.token(email, 2)).expect(200);
    const { body } = await logIn(email, NEW).expect(200);
    const me = await t.api.get('/auth/me').set('Authorization', `Bearer ${body.data.accessToken}`).expect(200);
    expect(me.body.data.user.name).toBe('never-verified'); // not that of the stranger
    await logIn(email, PASSWORD).expect(401);
    const late = await t.api.get('/auth/verify-email').query({ token: verification }).expect(400);
    expect(late.body.error.code).toBe('VERIFICATION_TOKEN_INVALID');
  });

  it('cannot be reset with a verification token', async () => {
    await t.api
      .post('/auth/register')
      .send({ email: 'other-purpose@example.com', password: PASSWORD, name: 'Ada' })
      .expect(201);
    const token = await t.mailbox.token('other-purpose@example.com');
    expect((await reset(token).expect(400)).body.error.code).toBe('RESET_TOKEN_INVALID');
  });

  it('are changed with the current one, which ends the other sessions', async () => {
    const actor = await t.actors.signedInUser();
    const other = await t.actors.signIn(actor.user.email);
    await change(actor, PASSWORD).expect(200);
    await logIn(actor.user.email, PASSWORD).expect(401);
    await logIn(actor.user.email, NEW).expect(200);
    await t.api.post('/auth/refresh').send({ refreshToken: other.refreshToken }).expect(401);
    await t.api.post('/auth/refresh').send({ refreshToken: actor.refreshToken }).expect(200);
  });

  it('are not changed with a wrong current one or to a weak one', async () => {
    const actor = await t.actors.signedInUser();
    expect((await change(actor, 'wrong').expect(401)).body.error.code).toBe('INVALID_CREDENTIALS');
    expect((await change(actor, PASSWORD, 'short').expect(400)).body.error.details).toHaveProperty('newPassword');
    await t.api.put('/auth/password').send({ currentPassword: PASSWORD, newPassword: NEW }).expect(401);
    await logIn(actor.user.email, PASSWORD).expect(200);
  });

  it('cannot be guessed with a stolen access token', async () => {
    const actor = await t.actors.signedInUser();
    for (let i = 0; i < 10; i++) await change(actor, 'wrong').expect(401);
    expect((await change(actor, PASSWORD).expect(429)).body.error.code).toBe('TOO_MANY_ATTEMPTS');
  });

  it('are changed by one of two simultaneous requests', async () => {
    const actor = await t.actors.signedInUser();
    const responses = await Promise.all([
      change(actor, PASSWORD, 'the first new one'),
      change(actor, PASSWORD, 'the second new one'),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
  });
});

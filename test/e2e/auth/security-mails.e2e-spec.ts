import { CommandBus } from '@nestjs/cqrs';
import { IdentityProvider } from '../../../dev/identity-provider';
import { SendSecurityMail } from '../../../src/auth/commands/send-security-mail';
import { claimsOf, PASSWORD, type SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Browser } from '../../support/browser';
import { untilNoJobIsLeft } from '../../support/job-queue';

const NEW_PASSWORD = 'another long phrase';

describe('a security mail', () => {
  let t: TestApp;
  const identityProvider = new IdentityProvider();
  beforeAll(async () => {
    t = await TestApp.start({ identityProvider });
  });
  afterAll(() => t.close());

  const about = (email: string, subject: string) => t.mailbox.titled(email, subject);
  const tokenIn = ({ text }: { text: string }) => /secure-account#token=([\w-]+)/.exec(text)![1];
  const logIn = (email: string, cookie = '') =>
    t.api
      .post('/auth/login')
      .set('Cookie', cookie)
      .set('User-Agent', 'Firefox/130.0 (Windows NT 10.0)')
      .send({ email, password: PASSWORD });

  it('is sent after a sign-in on a new device, but not on a known one', async () => {
    const { email } = await t.actors.user();
    const { headers } = await logIn(email).expect(200);
    const mail = await about(email, 'New sign-in to your account');
    expect(mail.text).toContain('Firefox on Windows');
    const device = (headers['set-cookie'] as unknown as string[])
      .find((cookie) => cookie.startsWith('device='))!
      .split(';')[0];
    await logIn(email, device).expect(200);
    await untilNoJobIsLeft(t);
    expect(t.mailbox.to(email)).toHaveLength(1);
  });

  it('is not sent after the first sign-in of an account', async () => {
    const email = 'first@example.com';
    await t.api.post('/auth/register').send({ email, password: PASSWORD, name: 'First' }).expect(201);
    await t.api
      .get('/auth/verify-email')
      .query({ token: await t.mailbox.token(email) })
      .expect(200);
    await untilNoJobIsLeft(t);
    expect(t.mailbox.to(email).map(({ subject }) => subject)).toEqual(['Verify your email address']);
  });

  it('is sent after a password was changed or reset', async () => {
    const actor = await t.actors.signedInUser();
    const { email } = actor.user;
    await t.api
      .put('/auth/password')
      .set(actor.bearer)
      .send({ currentPassword: PASSWORD, newPassword: NEW_PASSWORD })
      .expect(200);
    await about(email, 'Your password was changed');
    await t.api.post('/auth/password/forgot').send({ email }).expect(200);
    const reset = await about(email, 'Reset your password');
    await t.api
      .post('/auth/password/reset')
      .send({ token: /token=([\w-]+)/.exec(reset.text)![1], password: PASSWORD })
      .expect(200);
    await about(email, 'Your password was reset');
  });

  it('contains no name if the account was not verified before, because a stranger may have chosen it', async () => {
    const { email } = await t.actors.user({ isEmailVerified: false, name: 'Payroll alert' });
    await t.api.post('/auth/password/forgot').send({ email }).expect(200);
    const token = /token=([\w-]+)/.exec((await about(email, 'Reset your password')).text)![1];
    await t.api.post('/auth/password/reset').send({ token, password: NEW_PASSWORD }).expect(200);
    const { text, html } = await about(email, 'Your password was reset');
    expect(text).toMatch(/^Hello,/);
    expect(text + html).not.toContain('Payroll');
    const verified = await t.actors.user({ name: 'Ada' });
    await t.api.post('/auth/password/forgot').send({ email: verified.email }).expect(200);
    const other = /token=([\w-]+)/.exec((await about(verified.email, 'Reset your password')).text)![1];
    await t.api.post('/auth/password/reset').send({ token: other, password: NEW_PASSWORD }).expect(200);
    expect((await about(verified.email, 'Your password was reset')).text).toMatch(/^Hi Ada,/);
  });

  it('revokes its link if it cannot be sent, so that delivered links stay valid', async () => {
    const other = await TestApp.start({ env: { LOG_LEVEL: 'fatal', WORKER: 'off' } });
    const { id, email } = await other.actors.user();
    const facts = { at: other.clock.now().toISOString() };
    const send = () => other.nest.get(CommandBus).execute(new SendSecurityMail(id, 'password-changed', facts));
    const tokens = () => other.database.query('SELECT FROM one_time_tokens WHERE user_id = $1', [id]);
    await send();
    await other.mailbox.stop();
    for (let attempt = 0; attempt < 3; attempt++) await expect(send()).rejects.toThrow();
    expect(await tokens()).toHaveLength(1);
    await other.mailbox.start();
    await send();
    expect(await tokens()).toHaveLength(2);
    await other.api
      .post('/auth/secure-account')
      .send({ token: tokenIn(other.mailbox.to(email)[0]) })
      .expect(200);
    await other.close();
  });

  it('is sent after a provider was linked', async () => {
    const { email } = await t.actors.user();
    const browser = new Browser(t);
    await browser.comeBack(
      await identityProvider.pick(await browser.begin('google'), {
        id: 'g-1',
        email,
        name: 'Ada',
        isEmailVerified: true,
      }),
    );
    await about(email, 'Google was linked to your account');
    expect(t.mailbox.to(email)).toHaveLength(1);
  });

  it('is sent once after a transfer of ownership and after reuse of a refresh token', async () => {
    const owner = await t.actors.owner({ tenantName: 'Engines' });
    const member = await t.actors.member(owner, 'Admin');
    await t.api.post('/tenants/current/ownership').set(owner.bearer).send({ userId: member.user.id }).expect(200);
    await about(member.user.email, 'You are now the Owner of Engines');
    const actor = await t.actors.signedInUser();
    await t.actors.refreshed(actor);
    for (let attempt = 0; attempt < 3; attempt++) {
      await t.api.post('/auth/refresh').send({ refreshToken: actor.refreshToken }).expect(401);
    }
    await about(actor.user.email, 'A session of your account was ended');
    await untilNoJobIsLeft(t);
    expect(t.mailbox.to(actor.user.email)).toHaveLength(1);
  });

  describe('has a link "This was not me"', () => {
    let actor: SignedInUser;
    let token: string;
    beforeEach(async () => {
      actor = await t.actors.signedInUser();
      const { email } = actor.user;
      const browser = new Browser(t);
      const profile = { id: `g-${actor.user.id}`, email, name: 'Ada', isEmailVerified: true };
      await browser.comeBack(await identityProvider.pick(await browser.begin('google'), profile));
      token = tokenIn(await about(email, 'Google was linked to your account'));
    });

    it('that ends all sessions, unlinks providers and removes the password until it is reset', async () => {
      const { email, id } = actor.user;
      await t.api.post('/auth/secure-account').send({ token }).expect(200);
      expect(
        (await t.api.post('/auth/refresh').send({ refreshToken: actor.refreshToken }).expect(401)).body.error.code,
      ).toBe('TOKEN_REUSE_DETECTED');
      await logIn(email).expect(401);
      expect(await t.database.query('SELECT FROM linked_providers WHERE user_id = $1', [id])).toEqual([]);
      await about(email, 'Your account was secured');
      const sql = `SELECT action, data FROM audit_log WHERE target_id = $1
        AND action = ANY('{user.account-secured,provider.unlinked}') ORDER BY action`;
      expect(await t.database.query(sql, [id])).toEqual([
        { action: 'provider.unlinked', data: { provider: 'google' } },
        { action: 'user.account-secured', data: {} },
      ]);
      await t.api.post('/auth/password/forgot').send({ email }).expect(200);
      const reset = await about(email, 'Reset your password');
      await t.api
        .post('/auth/password/reset')
        .send({ token: /token=([\w-]+)/.exec(reset.text)![1], password: PASSWORD })
        .expect(200);
      await logIn(email).expect(200);
    });

    it('that defeats a simultaneous provider sign-in by an unlinked identity, but not by a linked one', async () => {
      const { id } = actor.user;
      const lock = 'SELECT FROM users WHERE id = $1 FOR UPDATE';
      const link =
        'INSERT INTO linked_providers (provider, provider_user_id, user_id, linked_at) VALUES ($1, $2, $3, now())';
      const thief = { id: `thief-${id}`, email: `mallory-${id}@example.com`, name: 'Mallory', isEmailVerified: true };
      await t.database.query('DELETE FROM linked_providers WHERE user_id = $1', [id]);
      await t.database.query(link, ['google', thief.id, id]);
      const comesBack = async () => {
        const browser = new Browser(t);
        const address = await identityProvider.pick(await browser.begin('google'), thief);
        return async () => claimsOf((await browser.comeBack(address)).accessToken).sub;
      };
      const before = await comesBack();
      expect(await t.database.inTheMidstOf(lock, [id], before)).toBe(id);
      const late = await comesBack();
      const [secured, by] = await t.database.inTheMidstOf(
        lock,
        [id],
        async () => {
          const securing = t.api.post('/auth/secure-account').send({ token }).then();
          await t.database.untilWaiting(1);
          return Promise.all([securing, late()]);
        },
        2,
      );
      expect(secured.status).toBe(200);
      expect(by).not.toBe(id);
      expect(await t.database.query('SELECT FROM sessions WHERE user_id = $1 AND revoked_at IS NULL', [id])).toEqual(
        [],
      );
    });

    it('that works once within 7 days, and survives the revocation of other links', async () => {
      await t.api.delete('/auth/sessions').set(actor.bearer).expect(200);
      await t.api.post('/auth/secure-account').send({ token }).expect(200);
      expect((await t.api.post('/auth/secure-account').send({ token }).expect(400)).body.error.code).toBe(
        'RESET_TOKEN_INVALID',
      );
      expect(
        (await t.api.post('/auth/password/reset').send({ token, password: NEW_PASSWORD }).expect(400)).body.error.code,
      ).toBe('RESET_TOKEN_INVALID');
    });
  });
});

import { CommandBus } from '@nestjs/cqrs';
import { PurgeUnverified } from '../../../src/auth/commands/purge-unverified';
import { SendLinkMail } from '../../../src/auth/commands/send-link-mail';
import { OneTimeTokenRepository } from '../../../src/auth/data/one-time-token.repository';
import { DAY } from '../../../src/platform/clock';
import { PASSWORD, bearer } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';
import { mailedDay } from '../../support/mailed-day';
import { eventually } from '../../support/eventually';
import { untilNoJobIsDue } from '../../support/job-queue';

/** A stranger may register the address of another user. */
describe('an unverified address', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  const CHROME =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
  const STRANGERS = 'attacker knows this 1';
  let users = 0;
  const newAddress = () => `user${++users}@example.test`;
  const register = (email: string, password: string, name: string) =>
    t.api.post('/auth/register').set('User-Agent', CHROME).send({ email, password, name });
  const logIn = (email: string, password: string) => t.api.post('/auth/login').send({ email, password });
  const verify = (token: string) => t.api.get('/auth/verify-email').query({ token });
  const notMe = (token: string) => t.api.post('/auth/not-me').send({ token });
  /** Registers, and returns the tokens in the mail. */
  const registered = async (email: string, password: string, name: string, count = 1) => {
    await register(email, password, name).expect(201);
    const { text } = await t.mailbox.last(email, count);
    const [, verification, disowning] = /token=([\w-]+)[^]*not-me#token=([\w-]+)/.exec(text)!;
    return { verification, disowning };
  };
  const accounts = (email: string) =>
    t.database.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]);
  const workspaces = (name: string) => t.database.query('SELECT id FROM tenants WHERE name = $1', [name]);

  it('can be registered again by its owner, whose link activates their own password and name', async () => {
    const email = newAddress();
    const strangers = await registered(email, STRANGERS, 'Mallory');
    const owners = await registered(email, PASSWORD, 'Ada', 2);
    const { body } = await verify(owners.verification).expect(200);
    expect(codeOf(await logIn(email, STRANGERS).expect(401))).toBe('INVALID_CREDENTIALS');
    await logIn(email, PASSWORD).expect(200);
    expect(codeOf(await verify(strangers.verification).expect(400))).toBe('VERIFICATION_TOKEN_INVALID');
    expect(codeOf(await notMe(strangers.disowning).expect(400))).toBe('VERIFICATION_TOKEN_INVALID');
    await eventually(async () => {
      const me = (await t.api.get('/auth/me').set(bearer(body.data.accessToken)).expect(200)).body.data;
      expect(me.user).toMatchObject({ email, name: 'Ada', isEmailVerified: true });
      return me.tenant.name === "Ada's workspace" || undefined;
    }, 'the workspace to be called after its owner');
    expect(codeOf(await register(email, STRANGERS, 'Mallory').expect(409))).toBe('EMAIL_TAKEN');
  });

  it('keeps the registration of its owner when a stranger registers it later', async () => {
    const email = newAddress();
    const owners = await registered(email, PASSWORD, 'Ada');
    await registered(email, STRANGERS, 'Mallory', 2);
    await registered(email, `${STRANGERS}2`, 'Mallory', 3);
    await verify(owners.verification).expect(200);
    await logIn(email, PASSWORD).expect(200);
    await logIn(email, STRANGERS).expect(401);
  });

  it('is reported as unverified with the password of any registration, at the cost of one hash', async () => {
    const email = newAddress();
    for (const [password, count] of [
      [PASSWORD, 1],
      [STRANGERS, 2],
      ['a third password', 3],
    ] as const)
      await registered(email, password, 'Ada', count);
    for (const password of [PASSWORD, STRANGERS, 'a third password'])
      expect(codeOf(await logIn(email, password).expect(400))).toBe('EMAIL_NOT_VERIFIED');
    expect(codeOf(await logIn(email, 'a fourth password').expect(401))).toBe('INVALID_CREDENTIALS');
    const hashes = await t.database.query<{ salt: string }>(
      `SELECT DISTINCT split_part(r.password_hash, '$', 5) AS salt FROM registrations r
        JOIN users u ON u.id = r.user_id WHERE u.email = $1`,
      [email],
    );
    expect(hashes).toHaveLength(1);
  });

  it('is mailed the time and device of the registration, and no text that a stranger entered', async () => {
    const email = newAddress();
    await registered(email, STRANGERS, 'Payroll alert: visit our page');
    const mail = await t.mailbox.last(email);
    expect(mail.text).toContain(`The account was created on ${mailedDay(t.clock.now())} at `);
    expect(mail.text).toContain(' UTC with Chrome on Windows.');
    expect(mail.html).toContain('This was not me');
    expect(mail.subject + mail.text + mail.html).not.toMatch(/Payroll|Mozilla/);
    await t.api.post('/auth/password/forgot').send({ email }).expect(200);
    await t.api.post('/auth/magic-link/request').send({ email }).expect(200);
    await t.mailbox.last(email, 3);
    expect(
      t.mailbox
        .to(email)
        .map(({ text, html }) => text + html)
        .join(),
    ).not.toMatch(/Payroll/);
  });

  it('is mailed a link for its only registration on request, and earlier links stay valid', async () => {
    const email = newAddress();
    const first = await registered(email, STRANGERS, 'Mallory');
    await registered(email, PASSWORD, 'Ada', 2);
    await notMe(first.disowning).expect(200);
    await t.api.post('/auth/resend-verification').send({ email }).expect(200);
    const resent = await t.mailbox.last(email, 3);
    expect(resent.text).toContain('The account was created on');
    expect(resent.text).toContain('not-me#token=');
    await verify(await t.mailbox.token(email, 3)).expect(200);
    await logIn(email, PASSWORD).expect(200);
  });

  it('is mailed a link without a registration if there are several, which removes passwords and name', async () => {
    const email = newAddress();
    const owners = await registered(email, PASSWORD, 'Ada');
    await registered(email, STRANGERS, 'Eve', 2);
    await t.api.post('/auth/resend-verification').send({ email }).expect(200);
    const { text } = await t.mailbox.last(email, 3);
    expect(text).toMatch(
      /The address was registered more than once: on .* with Chrome on Windows; .* with Chrome on Windows\./,
    );
    expect(text).toContain('None of the passwords chosen at registration will work.');
    const { body } = await verify(await t.mailbox.token(email, 3)).expect(200);
    expect((await t.api.get('/auth/me').set(bearer(body.data.accessToken)).expect(200)).body.data.user.name).toBe(
      email.split('@')[0],
    );
    for (const password of [STRANGERS, PASSWORD])
      expect(codeOf(await logIn(email, password).expect(401))).toBe('INVALID_CREDENTIALS');
    expect(codeOf(await verify(owners.verification).expect(400))).toBe('VERIFICATION_TOKEN_INVALID');
    await t.mailbox.titled(email, 'Your password was removed');
    await t.api.post('/auth/password').set(bearer(body.data.accessToken)).send({ password: PASSWORD }).expect(200);
    await logIn(email, PASSWORD).expect(200);
  });

  it('is deleted with all registrations by "This was not me" in such a mail, and can be registered again', async () => {
    const email = newAddress();
    for (const count of [1, 2]) await registered(email, STRANGERS, 'Eve', count);
    await t.api.post('/auth/resend-verification').send({ email }).expect(200);
    const { text } = await t.mailbox.last(email, 3);
    await notMe(/not-me#token=([\w-]+)/.exec(text)![1]).expect(200);
    expect(await accounts(email)).toEqual([]);
    expect(codeOf(await verify(await t.mailbox.token(email, 3)).expect(400))).toBe('VERIFICATION_TOKEN_INVALID');
    await register(email, PASSWORD, 'Ada').expect(201);
  });

  it('gets no mail for a registration that was discarded while the mail was queued', async () => {
    const email = newAddress();
    for (const count of [1, 2, 3]) await registered(email, STRANGERS, 'Eve', count);
    await register(email, PASSWORD, 'Ada').expect(201);
    const [{ id }] = await t.database.query<{ id: string }>(
      `SELECT r.id FROM registrations r JOIN users u ON u.id = r.user_id WHERE u.email = $1 AND r.name = 'Ada'`,
      [email],
    );
    for (let times = 0; times < 3; times++) await register(email, STRANGERS, 'Eve').expect(201);
    await eventually(
      async () =>
        (await t.database.query('SELECT FROM graphile_worker._private_jobs WHERE run_at <= now()')).length === 0 ||
        undefined,
      'all further mails to be postponed',
    );
    t.clock.advance(60);
    await t.nest.get(CommandBus).execute(new SendLinkMail(email, 'verification', id));
    expect(t.mailbox.to(email)).toHaveLength(3);
    await t.nest.get(CommandBus).execute(new SendLinkMail(email, 'verification'));
    expect(t.mailbox.to(email)).toHaveLength(4);
    await verify(await t.mailbox.token(email, 4)).expect(200);
    expect(codeOf(await logIn(email, STRANGERS).expect(401))).toBe('INVALID_CREDENTIALS');
  });

  it('loses passwords that were registered after a link without a registration was mailed', async () => {
    const user = await t.actors.user({ isEmailVerified: false });
    const token = await t.nest.get(OneTimeTokenRepository).issue(user.id, 'verification');
    await registered(user.email, STRANGERS, 'Eve');
    const { body } = await verify(token).expect(200);
    expect(codeOf(await logIn(user.email, STRANGERS).expect(401))).toBe('INVALID_CREDENTIALS');
    const me = await t.api.get('/auth/me').set(bearer(body.data.accessToken)).expect(200);
    expect(me.body.data.user).toMatchObject({ email: user.email, isEmailVerified: true });
    const untouched = await t.actors.user({ isEmailVerified: false });
    await verify(await t.nest.get(OneTimeTokenRepository).issue(untouched.id, 'verification')).expect(200);
    await t.actors.signIn(untouched.email);
  });

  describe('that its owner has verified with the link of a stranger', () => {
    const deviceIn = ({ headers }: { headers: Record<string, unknown> }) =>
      (headers['set-cookie'] as string[]).find((cookie) => cookie.startsWith('device='))!.split(';')[0];
    /** The owner of the mailbox opens the link, and later accepts an invitation by a magic link. */
    const joined = async (email: string) => {
      const owner = await t.actors.owner();
      await t.api.post('/tenants/current/invitations').set(owner.bearer).send({ email }).expect(200);
      const invitation = await eventually(
        () => t.mailbox.to(email).find(({ text }) => text.includes('/invitation#')),
        'the invitation',
      );
      const link = await t.nest.get(OneTimeTokenRepository).issue((await accounts(email))[0].id, 'magic-link');
      const { body } = await t.api.post('/auth/magic-link/verify').send({ token: link }).expect(200);
      const own = bearer(body.data.accessToken);
      const token = /token=([\w-]+)/.exec(invitation.text)![1];
      await t.api.post('/invitations/accept').set(own).send({ token }).expect(200);
      await untilNoJobIsDue(t);
      return { own, tenantId: owner.tenantId };
    };

    it('loses the password of the stranger, and their sessions, when the owner joins a workspace', async () => {
      const email = newAddress();
      const { verification } = await registered(email, STRANGERS, 'Trudy');
      await verify(verification).expect(200);
      const stranger = (await logIn(email, STRANGERS).expect(200)).body.data;
      const { own } = await joined(email);
      expect(codeOf(await logIn(email, STRANGERS).expect(401))).toBe('INVALID_CREDENTIALS');
      await t.api.post('/auth/refresh').send({ refreshToken: stranger.refreshToken }).expect(401);
      await t.api.get('/auth/sessions').set(own).expect(200);
      await t.mailbox.titled(email, 'Your password was removed');
    });

    it('keeps the password of a registration that was made in the browser in which the link is opened', async () => {
      for (const [isSame, status] of [
        [true, 200],
        [false, 401],
      ] as const) {
        const email = newAddress();
        const { headers } = await register(email, PASSWORD, 'Ada').expect(201);
        const cookie = isSame ? (headers['set-cookie'] as unknown as string[])[0].split(';')[0] : '';
        const token = await t.mailbox.token(email);
        await t.api.get('/auth/verify-email').set('Cookie', cookie).query({ token }).expect(200);
        await joined(email);
        await logIn(email, PASSWORD).expect(status);
      }
    });

    it('keeps a password that was used in a browser in which the mailbox was proven', async () => {
      const email = newAddress();
      const { verification } = await registered(email, PASSWORD, 'Ada');
      const device = deviceIn(await verify(verification).expect(200));
      await t.api.post('/auth/login').set('Cookie', device).send({ email, password: PASSWORD }).expect(200);
      await joined(email);
      await logIn(email, PASSWORD).expect(200);
      expect(t.mailbox.to(email).map(({ subject }) => subject)).not.toContain('Your password was removed');
    });

    it('loses a password that was used in other browsers only', async () => {
      const email = newAddress();
      const { verification } = await registered(email, STRANGERS, 'Trudy');
      await verify(verification).expect(200);
      const device = deviceIn(await logIn(email, STRANGERS).expect(200));
      await t.api.post('/auth/login').set('Cookie', device).send({ email, password: STRANGERS }).expect(200);
      await joined(email);
      await logIn(email, STRANGERS).expect(401);
    });
  });

  it('is deleted with its workspace by "This was not me", and can be registered again', async () => {
    const email = newAddress();
    const { verification, disowning } = await registered(email, STRANGERS, 'Disowned');
    expect(await workspaces("Disowned's workspace")).toHaveLength(1);
    expect((await notMe(disowning).expect(200)).body).toEqual({ success: true, data: null });
    expect([await accounts(email), await workspaces("Disowned's workspace")]).toEqual([[], []]);
    expect(codeOf(await verify(verification).expect(400))).toBe('VERIFICATION_TOKEN_INVALID');
    expect(codeOf(await notMe(disowning).expect(400))).toBe('VERIFICATION_TOKEN_INVALID');
    await register(email, PASSWORD, 'Ada').expect(201);
  });

  it('loses only the registration that the owner cancels', async () => {
    const email = newAddress();
    const owners = await registered(email, PASSWORD, 'Ada');
    const strangers = await registered(email, STRANGERS, 'Mallory', 2);
    await notMe(strangers.disowning).expect(200);
    const entries = await t.database.query(
      `SELECT l.action, l.actor_id, l.data->>'reason' AS reason FROM audit_log l
        JOIN users u ON u.id::text = l.target_id::text
        WHERE u.email = $1 AND l.action = 'registration.deleted'`,
      [email],
    );
    expect(entries).toEqual([{ action: 'registration.deleted', actor_id: null, reason: 'disowned' }]);
    await logIn(email, STRANGERS).expect(401);
    expect(codeOf(await verify(strangers.verification).expect(400))).toBe('VERIFICATION_TOKEN_INVALID');
    await verify(owners.verification).expect(200);
    await logIn(email, PASSWORD).expect(200);
  });

  it('is not deleted with another kind of link or once it is verified', async () => {
    const email = newAddress();
    const { verification, disowning } = await registered(email, PASSWORD, 'Ada');
    expect(codeOf(await notMe(verification).expect(400))).toBe('VERIFICATION_TOKEN_INVALID');
    expect(codeOf(await verify(disowning).expect(400))).toBe('VERIFICATION_TOKEN_INVALID');
    await verify(verification).expect(200);
    expect(codeOf(await notMe(disowning).expect(400))).toBe('VERIFICATION_TOKEN_INVALID');
    expect(await accounts(email)).toHaveLength(1);
  });

  it('is taken over with an invitation, which replaces the password and revokes the links', async () => {
    const [owner, email] = [await t.actors.owner(), newAddress()];
    const strangers = await registered(email, STRANGERS, 'Mallory');
    await t.api.post('/tenants/current/invitations').set(owner.bearer).send({ email }).expect(200);
    const token = await t.mailbox.token(email, 2);
    const preview = await t.api.get('/invitations/preview').query({ token }).expect(200);
    expect(preview.body.data.accountExists).toBe(false);
    const { body } = await t.api
      .post('/invitations/register')
      .send({ token, name: 'Ada', password: PASSWORD })
      .expect(200);
    const me = await t.api.get('/auth/me').set(bearer(body.data.accessToken)).expect(200);
    expect(me.body.data).toMatchObject({
      user: { email, name: 'Ada', isEmailVerified: true },
      tenant: { id: owner.tenantId },
    });
    expect(codeOf(await logIn(email, STRANGERS).expect(401))).toBe('INVALID_CREDENTIALS');
    await logIn(email, PASSWORD).expect(200);
    expect(codeOf(await verify(strangers.verification).expect(400))).toBe('VERIFICATION_TOKEN_INVALID');
    await eventually(
      async () => (await workspaces("Mallory's workspace")).length === 0 || undefined,
      'the workspace to be renamed',
    );
  });

  it('is deleted with its workspace after 7 days, unless registered again, verified or disabled', async () => {
    const [old, again, verified, disabled] = [newAddress(), newAddress(), newAddress(), newAddress()];
    for (const email of [old, again, disabled]) await registered(email, PASSWORD, 'Slow');
    await verify((await registered(verified, PASSWORD, 'Quick')).verification).expect(200);
    await t.database.query('UPDATE users SET disabled_at = now() WHERE email = $1', [disabled]);
    t.clock.advance(6 * DAY);
    await registered(again, STRANGERS, 'Slow again', 2);
    t.clock.advance(DAY + 1);
    await t.nest.get(CommandBus).execute(new PurgeUnverified());
    expect((await Promise.all([old, again, verified, disabled].map(accounts))).map((found) => found.length)).toEqual([
      0, 1, 1, 1,
    ]);
    expect(codeOf(await logIn(again, PASSWORD).expect(401))).toBe('INVALID_CREDENTIALS');
    expect(codeOf(await logIn(again, STRANGERS).expect(400))).toBe('EMAIL_NOT_VERIFIED');
    const left = await t.database.query(
      `SELECT FROM audit_log WHERE action = 'user.deleted' AND data = '{"reason": "never-verified"}'`,
    );
    expect(left.length).toBeGreaterThan(0);
    t.clock.advance(7 * DAY);
    await t.nest.get(CommandBus).execute(new PurgeUnverified());
    expect(await accounts(again)).toEqual([]);
  });

  it('gets no link if the account is disabled', async () => {
    const user = await t.actors.user({ isEmailVerified: false, disabledAt: t.clock.now() });
    await t.nest.get(CommandBus).execute(new SendLinkMail(user.email, 'verification'));
    expect(t.mailbox.to(user.email)).toEqual([]);
  });
});

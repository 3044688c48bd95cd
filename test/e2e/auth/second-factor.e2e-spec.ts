import { AuditAggregation } from '../../../src/audit/services/audit-aggregation';
import { MINUTE } from '../../../src/platform/clock';
import { bearer, PASSWORD, type SignedInUser } from '../../support/actors';
import { AuthenticatorApp } from '../../support/authenticator-app';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { expectSessionEnd } from '../../support/session-end';

const NEW_PASSWORD = 'another long phrase';

interface Enrolled {
  readonly actor: SignedInUser;
  readonly app: AuthenticatorApp;
}

describe('a second factor', () => {
  let t: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ env: { LOG_LEVEL: 'trace' } });
    other = await TestApp.start({ beside: t });
  });
  afterAll(async () => {
    await other.close();
    await t.close();
  });

  const enrolled = async (): Promise<Enrolled> => {
    const actor = await t.actors.signedInUser();
    return { actor, app: await AuthenticatorApp.enrol(t, actor) };
  };
  const logIn = (email: string, cookie = '', password = PASSWORD) =>
    t.api.post('/auth/login').set('Cookie', cookie).send({ email, password });
  const ticketOf = async (email: string, browser = 'Firefox/130.0 (Windows NT 10.0)'): Promise<string> =>
    (await logIn(email).set('User-Agent', browser).expect(200)).body.data.secondFactor.ticket;
  const complete = (body: object, cookie = '', at = t) =>
    at.api.post('/auth/second-factor').set('Cookie', cookie).send(body);
  const me = (accessToken: string) => t.api.get('/auth/me').set(bearer(accessToken));
  const audited = async (userId: string) =>
    (
      await t.database.query<{ action: string }>(
        `SELECT action FROM audit_log WHERE target_id = $1 AND action LIKE '%factor%' OR target_id = $1
          AND action LIKE 'recovery%' ORDER BY id`,
        [userId],
      )
    ).map(({ action }) => action);
  const deviceIn = (headers: Record<string, unknown>) =>
    (headers['set-cookie'] as string[]).find((cookie) => cookie.startsWith('device='))!.split(';')[0];

  describe('is set up', () => {
    it('with an authenticator app, whose first code shows the recovery codes and ends other sessions', async () => {
      const actor = await t.actors.signedInUser();
      const before = await t.actors.signIn(actor.user.email);
      const start = await t.api.post('/auth/factors/totp').set(actor.bearer).expect(200);
      expect(start.body.data).toEqual({
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        otpauthUri: expect.stringContaining(
          `:${encodeURIComponent(actor.user.email)}?secret=${start.body.data.secret}&`,
        ),
      });
      await logIn(actor.user.email).expect(200); // not confirmed yet: nothing changes
      const app = await AuthenticatorApp.enrol(t, actor); // replaces the secret that was shown
      expect(app.secret).not.toBe(start.body.data.secret);
      expect(new Set(app.recoveryCodes).size).toBe(10);
      await expectSessionEnd(() => me(before.accessToken));
      await me(actor.accessToken).expect(200);
      const { body } = await t.api.get('/auth/factors').set(actor.bearer).expect(200);
      expect(body.data).toMatchObject({ totp: { createdAt: expect.any(String) }, recoveryCodesLeft: 10 });
      expect(codeOf(await t.api.post('/auth/factors/totp').set(actor.bearer).expect(409))).toBe('FACTOR_EXISTS');
      await t.mailbox.titled(actor.user.email, 'An authenticator app was added to your account');
      expect(await audited(actor.user.id)).toEqual(['second-factor.added']);
    });

    it('only with the correct code of a secret that was shown', async () => {
      const actor = await t.actors.signedInUser();
      const confirm = (code: unknown) => t.api.post('/auth/factors/totp/confirm').set(actor.bearer).send({ code });
      expect(codeOf(await confirm('123456').expect(404))).toBe('NOT_FOUND');
      await t.api.post('/auth/factors/totp').set(actor.bearer).expect(200);
      expect(codeOf(await confirm('12345').expect(400))).toBe('VALIDATION_ERROR');
      expect(codeOf(await confirm('000000'))).toBe('SECOND_FACTOR_INVALID');
      await logIn(actor.user.email).expect(200);
      expect((await t.api.get('/auth/factors').set(actor.bearer).expect(200)).body.data.totp).toBeNull();
    });

    it('and removed, after which a password is enough', async () => {
      const { actor } = await enrolled();
      await t.api.delete('/auth/factors/totp').set(actor.bearer).expect(200);
      expect((await logIn(actor.user.email).expect(200)).body.data.accessToken).toEqual(expect.any(String));
      expect(codeOf(await t.api.delete('/auth/factors/totp').set(actor.bearer).expect(404))).toBe('NOT_FOUND');
      await t.mailbox.titled(actor.user.email, 'The authenticator app was removed from your account');
    });

    it('never without a fresh proof of the identity, nor during an impersonation', async () => {
      const { actor } = await enrolled();
      const acting = await t.actors.impersonating(await t.actors.admin(), actor);
      const requests = (by: SignedInUser) => [
        t.api.post('/auth/factors/totp').set(by.bearer),
        t.api.post('/auth/factors/totp/confirm').set(by.bearer).send({ code: '123456' }),
        t.api.post('/auth/factors/recovery-codes').set(by.bearer),
        t.api.delete('/auth/factors/totp').set(by.bearer),
      ];
      for (const request of requests(acting)) expect(codeOf(await request.expect(403))).toBe('NOT_WHILE_IMPERSONATING');
      t.clock.advance(10 * MINUTE + 1);
      for (const request of requests(actor)) {
        const response = await request.expect(403);
        expect(codeOf(response)).toBe('STEP_UP_REQUIRED');
        expect(response.headers['www-authenticate']).toBe(
          'Bearer error="insufficient_user_authentication", max_age=600',
        );
      }
    });
  });

  describe('at sign-in', () => {
    it('is asked for with a ticket: neither tokens nor a session cookie are issued before', async () => {
      const { actor, app } = await enrolled();
      const { body, headers } = await logIn(actor.user.email).expect(200);
      expect(body.data).toEqual({
        secondFactor: {
          ticket: expect.stringMatching(/^[\w-]{43}$/),
          methods: ['totp', 'recovery-code'],
          expiresIn: 300,
        },
      });
      expect(String(headers['set-cookie'])).not.toContain('refresh_token');
      const { ticket } = body.data.secondFactor;
      expect(codeOf(await complete({ ticket }).expect(400))).toBe('VALIDATION_ERROR');
      expect(codeOf(await complete({ ticket, code: '000000' }).expect(401))).toBe('SECOND_FACTOR_INVALID');
      const done = await complete({ ticket, code: app.nextCode().replace(/^.../, '$& ') }).expect(200);
      await me(done.body.data.accessToken).expect(200);
      expect(String(done.headers['set-cookie'])).toContain(`refresh_token=${done.body.data.refreshToken}`);
      expect(codeOf(await complete({ ticket, code: app.nextCode() }).expect(401))).toBe('TICKET_INVALID');
      await t.nest.get(AuditAggregation, { strict: false }).flush(t.clock.now());
      expect(await audited(actor.user.id)).toEqual(['second-factor.added', 'user.second-factor-failed']);
      await t.mailbox.titled(actor.user.email, 'New sign-in to your account');
    });

    it('is a recovery code, once, if the app is lost', async () => {
      const { actor, app } = await enrolled();
      const [recoveryCode, second] = app.recoveryCodes;
      await complete({ ticket: await ticketOf(actor.user.email), recoveryCode: recoveryCode.toLowerCase() }).expect(
        200,
      );
      const again = { ticket: await ticketOf(actor.user.email), recoveryCode };
      expect(codeOf(await complete(again).expect(401))).toBe('SECOND_FACTOR_INVALID');
      const { body } = await t.api.get('/auth/factors').set(actor.bearer).expect(200);
      expect(body.data.recoveryCodesLeft).toBe(9);
      await t.mailbox.titled(actor.user.email, 'A recovery code of your account was used');
      const renewed = await t.api.post('/auth/factors/recovery-codes').set(actor.bearer).expect(200);
      expect(renewed.body.data.recoveryCodes).toHaveLength(10);
      expect(codeOf(await complete({ ...again, recoveryCode: second }).expect(401))).toBe('SECOND_FACTOR_INVALID');
      await complete({ ...again, recoveryCode: renewed.body.data.recoveryCodes[3] }).expect(200);
    });

    it.each(['code', 'recovery code', 'ticket'])('accepts one of 50 simultaneous uses of one %s', async (what) => {
      const { actor, app } = await enrolled();
      const tickets: string[] = [];
      while (tickets.length < 5) tickets.push(await ticketOf(actor.user.email, `Browser ${tickets.length}`));
      const code = app.nextCode();
      const uses = Array.from({ length: 50 }, (_, i) => {
        const ticket = tickets[what === 'ticket' ? 0 : i % tickets.length];
        const recoveryCode = app.recoveryCodes[what === 'ticket' ? i % 10 : 0];
        const proof = what === 'code' || (what === 'ticket' && i % 2) ? { code } : { recoveryCode };
        return complete({ ticket, ...proof }, '', i % 3 ? t : other);
      });
      const statuses = (await Promise.all(uses)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status !== 200 && status !== 401 && status !== 429)).toEqual([]);
    });

    it('ends a ticket after five attempts, and counts them over all tickets of the account', async () => {
      const { actor, app } = await enrolled();
      const { email } = actor.user;
      const ticket = await ticketOf(email);
      for (let i = 0; i < 5; i++)
        expect(codeOf(await complete({ ticket, code: '000000' }))).toBe('SECOND_FACTOR_INVALID');
      expect(codeOf(await complete({ ticket, code: app.nextCode() }).expect(401))).toBe('TICKET_INVALID');
      const second = await ticketOf(email);
      for (let i = 0; i < 5; i++) await complete({ ticket: second, code: '000000' }).expect(401);
      const third = await ticketOf(email);
      const refused = await complete({ ticket: third, code: app.nextCode() }).expect(429);
      expect(codeOf(refused)).toBe('TOO_MANY_ATTEMPTS');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(10 * MINUTE);
      await complete({ ticket: third, recoveryCode: app.recoveryCodes[0] }).expect(200); // cannot be guessed
      t.clock.advance(15 * MINUTE);
      await complete({ ticket: await ticketOf(email), code: app.nextCode() }).expect(200);
    });

    it('refuses a code of the step before the last accepted one, and a ticket after five minutes', async () => {
      const { actor, app } = await enrolled();
      const [earlier, code] = [app.shownCode(), app.nextCode()]; // time passes during the requests
      await complete({ ticket: await ticketOf(actor.user.email), code }).expect(200);
      const replayed = { ticket: await ticketOf(actor.user.email), code };
      expect(codeOf(await complete(replayed).expect(401))).toBe('SECOND_FACTOR_INVALID');
      expect(codeOf(await complete({ ...replayed, code: earlier }))).toBe('SECOND_FACTOR_INVALID');
      t.clock.advance(5 * MINUTE);
      expect(codeOf(await complete({ ...replayed, code: app.nextCode() }).expect(401))).toBe('TICKET_INVALID');
    });

    it.each<[string, (actor: SignedInUser) => Promise<unknown>]>([
      [
        'the password is changed',
        (actor) =>
          t.api
            .put('/auth/password')
            .set(actor.bearer)
            .send({ currentPassword: PASSWORD, newPassword: NEW_PASSWORD })
            .expect(200),
      ],
      ['other sessions are ended', (actor) => t.api.delete('/auth/sessions').set(actor.bearer).expect(200)],
      ['the factor is removed', (actor) => t.api.delete('/auth/factors/totp').set(actor.bearer).expect(200)],
      [
        'the account is disabled',
        async ({ user }) =>
          t.api
            .post(`/admin/users/${user.id}/disable`)
            .set((await t.actors.admin()).bearer)
            .send({})
            .expect(200),
      ],
    ])('withdraws open tickets when %s', async (_what, change) => {
      const { actor, app } = await enrolled();
      const ticket = await ticketOf(actor.user.email);
      await change(actor);
      expect(codeOf(await complete({ ticket, code: app.nextCode() }).expect(401))).toBe('TICKET_INVALID');
    });

    it('is still asked for after a password reset', async () => {
      const { actor, app } = await enrolled();
      const { email } = actor.user;
      await t.api.post('/auth/password/forgot').send({ email }).expect(200);
      const { text } = await t.mailbox.titled(email, 'Reset your password');
      const token = /token=([\w-]+)/.exec(text)![1];
      await t.api.post('/auth/password/reset').send({ token, password: NEW_PASSWORD }).expect(200);
      const { body } = await logIn(email, '', NEW_PASSWORD).expect(200);
      await complete({ ticket: body.data.secondFactor.ticket, code: app.nextCode() }).expect(200);
    });

    it('keeps at most 30 open tickets of an account', async () => {
      const { actor, app } = await enrolled();
      const first = await ticketOf(actor.user.email);
      for (let i = 0; i < 30; i++) await ticketOf(actor.user.email);
      expect(codeOf(await complete({ ticket: first, code: app.nextCode() }).expect(401))).toBe('TICKET_INVALID');
    });
  });

  describe('is not asked for in a trusted browser', () => {
    const trusting = async () => {
      const { actor, app } = await enrolled();
      const first = await logIn(actor.user.email).expect(200);
      const { ticket } = first.body.data.secondFactor;
      const done = await complete({ ticket, code: app.nextCode(), trustBrowser: true }, deviceIn(first.headers));
      return { actor, app, device: deviceIn(done.headers), bearer: bearer(done.body.data.accessToken) };
    };
    const isAsked = async (email: string, device: string) =>
      (await logIn(email, device).expect(200)).body.data.secondFactor !== undefined;

    it('for 30 days, but in no other, and not for another account', async () => {
      const { actor, device } = await trusting();
      const { email } = actor.user;
      expect(await isAsked(email, device)).toBe(false);
      expect(await isAsked(email, '')).toBe(true);
      expect(await isAsked(email, await t.actors.knownDevice(email))).toBe(true);
      expect(await isAsked((await enrolled()).actor.user.email, device)).toBe(true);
      t.clock.advance(30 * 24 * 60 * MINUTE);
      expect(await isAsked(email, device)).toBe(true);
    });

    it('until it is removed, the password is reset or another session ends all others', async () => {
      const { actor, device, bearer: by } = await trusting();
      const { email } = actor.user;
      const { body } = await t.api.get('/auth/trusted-browsers').set(by).set('Cookie', device).expect(200);
      expect(body.data.items).toEqual([expect.objectContaining({ id: expect.any(String), current: true })]);
      const { id } = body.data.items[0];
      await t.api
        .delete(`/auth/trusted-browsers/${id}`)
        .set((await t.actors.signedInUser()).bearer)
        .expect(404);
      await t.api.delete('/auth/sessions').set(by).set('Cookie', device).expect(200);
      expect(await isAsked(email, device)).toBe(false); // its own browser stays trusted
      await t.api.delete(`/auth/trusted-browsers/${id}`).set(by).expect(200);
      expect(await isAsked(email, device)).toBe(true);
      const second = await trusting();
      await t.api.delete('/auth/sessions').set(second.bearer).expect(200);
      expect(await isAsked(second.actor.user.email, second.device)).toBe(true);
      const third = await trusting();
      await t.api.delete('/auth/trusted-browsers').set(third.bearer).expect(200);
      expect(await isAsked(third.actor.user.email, third.device)).toBe(true);
    });

    it('and such a session has to confirm the identity before a factor is changed', async () => {
      const { actor, app, device } = await trusting();
      const { body } = await logIn(actor.user.email, device).expect(200);
      const by = bearer(body.data.accessToken);
      expect(codeOf(await t.api.delete('/auth/factors/totp').set(by).expect(403))).toBe('STEP_UP_REQUIRED');
      await t.api.post('/auth/step-up').set(by).send({ code: app.nextCode() }).expect(200);
      await t.api.delete('/auth/factors/totp').set(by).expect(200);
    });

    it('is asked for in a client without cookies that wants to be trusted', async () => {
      const { actor, app } = await enrolled();
      const ticket = await ticketOf(actor.user.email);
      await complete({ ticket, code: app.nextCode(), trustBrowser: true }).expect(200);
      const count = 'SELECT count(*)::int AS n FROM trusted_browsers WHERE user_id = $1';
      expect(await t.database.query(count, [actor.user.id])).toEqual([{ n: 0 }]);
    });
  });

  it('leaves no secret in the database, the queue or the log', async () => {
    const { actor, app } = await enrolled();
    const ticket = await ticketOf(actor.user.email);
    await t.api.post('/auth/second-factor').send({ ticket, code: '000000' });
    const tables = await t.database.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname IN ('public', 'graphile_worker')`,
      [],
    );
    let dump = t.logLines.join('\n');
    for (const { name } of tables)
      dump += JSON.stringify(await t.database.query(`SELECT t::text AS row FROM ${name} t`, []));
    expect(dump).toContain(actor.user.id);
    const hex = (text: string) => Buffer.from(text).toString('hex');
    const bytes = Buffer.from((app as unknown as { bytes: Buffer }).bytes);
    for (const secret of [app.secret, bytes.toString('hex'), bytes.toString('base64'), ticket, ...app.recoveryCodes])
      for (const form of [secret, secret.replaceAll('-', ''), hex(secret)]) expect(dump).not.toContain(form);
  });
});

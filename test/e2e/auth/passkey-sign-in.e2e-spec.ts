import { MINUTE } from '../../../src/platform/clock';
import { bearer, claimsOf, PASSWORD, type Bearer, type SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';
import { AuthenticatorApp } from '../../support/authenticator-app';
import { codeOf } from '../../support/error-code';
import { untilNoJobIsLeft } from '../../support/job-queue';
import { SoftwareAuthenticator } from '../../support/software-authenticator';

describe('a passkey', () => {
  let t: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
    other = await TestApp.start({ beside: t });
  });
  afterAll(async () => {
    await other.close();
    await t.close();
  });

  const options = async () => (await t.api.post('/auth/passkey/options').expect(200)).body.data.options;
  const signIn = (response: object, at = t) => at.api.post('/auth/passkey').send({ response });
  const enrolled = async (wanted?: Parameters<typeof t.actors.signedInUser>[0]) => {
    const actor = await t.actors.signedInUser(wanted);
    return { actor, authenticator: await SoftwareAuthenticator.enrol(t, actor) };
  };
  const ticketOf = async ({ user: { email } }: SignedInUser) =>
    (await t.api.post('/auth/login').send({ email, password: PASSWORD }).expect(200)).body.data.secondFactor;
  const complete = (body: object, at = t) => at.api.post('/auth/second-factor').send(body);
  const stepUp = (by: Bearer, body: object) => t.api.post('/auth/step-up').set(by.bearer).send(body);
  const methods = async (by: Bearer) => (await t.api.get('/auth/step-up').set(by.bearer).expect(200)).body.data.methods;
  const isFresh = async (by: Bearer) => (await t.api.post('/auth/passkeys/options').set(by.bearer)).status !== 403;
  const sessionOf = async ({ accessToken }: { accessToken: string }) => {
    const sql = `SELECT s.methods, s.is_proven AS "isProven", s.second_factor_at AS "secondFactorAt"
      FROM sessions s JOIN refresh_tokens t ON t.session_id = s.id WHERE t.id = $1`;
    return (await t.database.query(sql, [claimsOf(accessToken).jti]))[0];
  };

  describe('signs in', () => {
    it('without a password and a name, with the options that everyone gets', async () => {
      const { actor, authenticator } = await enrolled();
      const shown = await options();
      expect(shown).toEqual({
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        rpId: 'localhost',
        userVerification: 'required',
        timeout: 300_000,
      });
      const { body, headers } = await signIn(authenticator.get(shown)).expect(200);
      const pair = body.data;
      expect(String(headers['set-cookie'])).toContain(`refresh_token=${pair.refreshToken}`);
      const me = await t.api.get('/auth/me').set(bearer(pair.accessToken)).expect(200);
      expect(me.body.data.user.id).toBe(actor.user.id);
      await t.mailbox.titled(actor.user.email, 'New sign-in to your account');
      const { body: listed } = await t.api.get('/auth/passkeys').set(actor.bearer).expect(200);
      expect(listed.data.items).toEqual([expect.objectContaining({ lastUsedAt: expect.any(String) })]);
    });

    it('with the refresh token in the cookie only, if the client asks for it', async () => {
      const { authenticator } = await enrolled();
      const response = authenticator.get(await options());
      const { body, headers } = await t.api
        .post('/auth/passkey')
        .set('X-Session', 'web')
        .send({ response })
        .expect(200);
      expect(body.data).not.toHaveProperty('refreshToken');
      expect(String(headers['set-cookie'])).toContain('refresh_token=hidden.');
    });

    it('with two factors, so that no other one is asked for', async () => {
      const { actor, authenticator } = await enrolled();
      await AuthenticatorApp.enrol(t, actor);
      const { body } = await signIn(authenticator.get(await options())).expect(200);
      expect(await sessionOf(body.data)).toEqual({
        methods: ['passkey'],
        isProven: true,
        secondFactorAt: expect.any(Date),
      });
      expect(await isFresh({ bearer: bearer(body.data.accessToken) })).toBe(true);
    });

    it('with an RSA key as well', async () => {
      const actor = await t.actors.signedInUser();
      const authenticator = await SoftwareAuthenticator.enrol(t, actor, 'PC', new SoftwareAuthenticator('RS256'));
      await signIn(authenticator.get(await options())).expect(200);
    });

    it('on the pages of the service itself, whose host is that of the web client', async () => {
      const { authenticator } = await enrolled();
      await signIn(authenticator.get(await options(), { origin: 'http://localhost:3000' })).expect(200);
    });

    it('when it was moved to another device, or has a copy from now on', async () => {
      const { actor, authenticator } = await enrolled();
      const isBackedUp = async () =>
        (await t.api.get('/auth/passkeys').set(actor.bearer).expect(200)).body.data.items[0].isBackedUp;
      expect(await isBackedUp()).toBe(false);
      await signIn(authenticator.get(await options(), { isBackedUp: true })).expect(200);
      expect(await isBackedUp()).toBe(true);
      await signIn(authenticator.get(await options(), { isBackedUp: false })).expect(200);
      await signIn(authenticator.get(await options())).expect(200);
      expect(await isBackedUp()).toBe(false);
    });

    it('once of 50 simultaneous uses of one signature, on two instances', async () => {
      const { authenticator } = await enrolled();
      const response = authenticator.get(await options());
      const uses = Array.from({ length: 50 }, (_, i) => signIn(response, i % 2 ? t : other));
      const statuses = (await Promise.all(uses)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 400)).toHaveLength(49);
    });

    it('but not a disabled user, nor one who is not verified', async () => {
      const { actor, authenticator } = await enrolled();
      const admin = await t.actors.admin();
      await t.api.post(`/admin/users/${actor.user.id}/disable`).set(admin.bearer).send({}).expect(200);
      expect(codeOf(await signIn(authenticator.get(await options())).expect(403))).toBe('ACCOUNT_DISABLED');
      await t.database.query('UPDATE users SET disabled_at = NULL, is_email_verified = false WHERE id = $1', [
        actor.user.id,
      ]);
      expect(codeOf(await signIn(authenticator.get(await options())).expect(400))).toBe('EMAIL_NOT_VERIFIED');
    });

    it('with proof of the mailbox only if it was added in a session with such a proof', async () => {
      const { actor, authenticator } = await enrolled({ emailVerifiedAt: new Date('2100-01-01') });
      const { body } = await signIn(authenticator.get(await options())).expect(200);
      expect(await sessionOf(body.data)).toMatchObject({ isProven: false });
      const isAdmin = async (passkey: SoftwareAuthenticator) =>
        claimsOf((await signIn(passkey.get(await options())).expect(200)).body.data.accessToken).is_admin;
      await t.database.query('UPDATE users SET is_admin = true WHERE id = $1', [actor.user.id]);
      expect(await isAdmin(authenticator)).toBe(false);
      expect(await isAdmin((await enrolled({ isAdmin: true })).authenticator)).toBe(true);
    });
  });

  describe('whose counter goes back', () => {
    it('signs in, but is reported: someone may have a copy of it', async () => {
      const { actor, authenticator } = await enrolled();
      await signIn(authenticator.get(await options(), { counter: 10 })).expect(200);
      await signIn(authenticator.get(await options(), { counter: 9 })).expect(200);
      await t.mailbox.titled(actor.user.email, 'A passkey of your account may have been copied');
      const actions = await t.database.query(
        `SELECT data FROM audit_log WHERE target_id = $1 AND action = 'passkey.counter-went-back'`,
        [actor.user.id],
      );
      expect(actions).toEqual([{ data: { passkeyId: authenticator.id } }]);
    });

    it('because it does not count is not reported', async () => {
      const { actor, authenticator } = await enrolled();
      await t.database.query('UPDATE passkeys SET counter = 0 WHERE user_id = $1', [actor.user.id]);
      for (let i = 0; i < 2; i++) await signIn(authenticator.get(await options(), { counter: 0 })).expect(200);
      await untilNoJobIsLeft(t);
      const subjects = t.mailbox.to(actor.user.email).map(({ subject }) => subject);
      expect(subjects).not.toContain('A passkey of your account may have been copied');
    });
  });

  describe('is a second factor', () => {
    it('of a sign-in with a password, listed only if the user has one', async () => {
      const { actor, authenticator } = await enrolled();
      const app = await AuthenticatorApp.enrol(t, actor);
      const { ticket, methods: offered } = await ticketOf(actor);
      expect(offered).toEqual(['passkey', 'totp', 'recovery-code']);
      const { body } = await complete({ ticket, passkey: authenticator.get(await options()) }).expect(200);
      expect(await sessionOf(body.data)).toMatchObject({
        methods: ['password', 'passkey'],
        secondFactorAt: expect.any(Date),
      });
      await t.api.delete(`/auth/passkeys/${authenticator.id}`).set(actor.bearer).expect(200);
      const second = await ticketOf(actor);
      expect(second.methods).toEqual(['totp', 'recovery-code']);
      const removed = { ticket: second.ticket, passkey: authenticator.get(await options()) };
      expect(codeOf(await complete(removed).expect(404))).toBe('PASSKEY_UNKNOWN');
      await complete({ ticket: second.ticket, code: app.nextCode() }).expect(200);
    });

    it('only for the account that the ticket is of', async () => {
      const { actor } = await enrolled();
      await AuthenticatorApp.enrol(t, actor);
      const { authenticator: foreign } = await enrolled();
      const { ticket } = await ticketOf(actor);
      const refused = await complete({ ticket, passkey: foreign.get(await options()) }).expect(401);
      expect(codeOf(refused)).toBe('PASSKEY_INVALID');
    });

    it('for one of 50 simultaneous uses, on two instances', async () => {
      const { actor, authenticator } = await enrolled();
      await AuthenticatorApp.enrol(t, actor);
      const tickets: string[] = [];
      while (tickets.length < 5) tickets.push((await ticketOf(actor)).ticket);
      const passkey = authenticator.get(await options());
      const uses = Array.from({ length: 50 }, (_, i) =>
        complete({ ticket: tickets[i % tickets.length], passkey }, i % 3 ? t : other),
      );
      const statuses = (await Promise.all(uses)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status !== 200 && status !== 400 && status !== 401)).toEqual([]);
    });

    it('only after it was set up as such: a passkey alone requires no second factor', async () => {
      const { actor } = await enrolled();
      const { email } = actor.user;
      const { body } = await t.api.post('/auth/login').send({ email, password: PASSWORD }).expect(200);
      expect(body.data.accessToken).toEqual(expect.any(String));
    });
  });

  describe('confirms the identity', () => {
    const older = async <A extends SignedInUser>(actor: A): Promise<A> => {
      t.clock.advance(10 * MINUTE + 1);
      const refreshed = await t.actors.refreshed(actor);
      expect(await isFresh(refreshed)).toBe(false);
      return refreshed;
    };

    it('beside the password, once', async () => {
      const { actor, authenticator } = await enrolled();
      const own = await older(actor);
      expect(await methods(own)).toEqual(['passkey', 'password']);
      const passkey = authenticator.get(await options());
      await stepUp(own, { passkey }).expect(200);
      expect(await isFresh(own)).toBe(true);
      expect(codeOf(await stepUp(own, { passkey }).expect(400))).toBe('CHALLENGE_EXPIRED');
      expect(await sessionOf(own)).toMatchObject({
        methods: ['password', 'passkey'],
        secondFactorAt: expect.any(Date),
      });
      await stepUp(await older(own), { password: PASSWORD }).expect(200);
    });

    it('of an account with a second factor, which stays proven when the app is removed', async () => {
      const { actor, authenticator } = await enrolled();
      await AuthenticatorApp.enrol(t, actor);
      const own = await older(actor);
      expect(await methods(own)).toEqual(['passkey', 'totp', 'recovery-code']);
      await stepUp(own, { passkey: authenticator.get(await options()) }).expect(200);
      await t.api.delete('/auth/factors/totp').set(own.bearer).expect(200);
      expect(await sessionOf(own)).toMatchObject({
        methods: ['password', 'passkey'],
        secondFactorAt: expect.any(Date),
      });
    });

    it('only of its own user, and only if the user has one', async () => {
      const { authenticator } = await enrolled();
      const { actor: another } = await enrolled();
      const foreign = await stepUp(another, { passkey: authenticator.get(await options()) }).expect(401);
      expect(codeOf(foreign)).toBe('PASSKEY_INVALID');
      const without = await t.actors.signedInUser();
      expect(await methods(without)).toEqual(['password']);
      const refused = await stepUp(without, { passkey: authenticator.get(await options()) }).expect(400);
      expect(refused.body.error.details).toEqual({ method: ['must be password for this account'] });
    });
  });
});

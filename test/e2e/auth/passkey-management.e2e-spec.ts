import { IdentityProvider } from '../../../dev/identity-provider';
import { PurgePasskeyChallenges } from '../../../src/factors/commands/purge-passkey-challenges';
import { MINUTE } from '../../../src/platform/clock';
import { CommandBus } from '@nestjs/cqrs';
import { bearer, PASSWORD, type Bearer, type SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Browser } from '../../support/browser';
import { codeOf } from '../../support/error-code';
import { untilNoJobIsLeft } from '../../support/job-queue';
import { someone } from '../../support/provider-users';
import { SoftwareAuthenticator } from '../../support/software-authenticator';

describe('the passkeys of a user', () => {
  const identityProvider = new IdentityProvider();
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ identityProvider });
  });
  afterAll(() => t.close());

  const start = (by: Bearer) => t.api.post('/auth/passkeys/options').set(by.bearer);
  const register = (by: Bearer, body: object) => t.api.post('/auth/passkeys').set(by.bearer).send(body);
  const enrol = (by: Bearer, name?: string) => SoftwareAuthenticator.enrol(t, by, name);
  const list = async (by: Bearer, query = {}) =>
    (await t.api.get('/auth/passkeys').query(query).set(by.bearer).expect(200)).body.data;
  const remove = (by: Bearer, id: string) => t.api.delete(`/auth/passkeys/${id}`).set(by.bearer);
  const rename = (by: Bearer, id: string, name: unknown) =>
    t.api.patch(`/auth/passkeys/${id}`).set(by.bearer).send({ name });
  const signIn = async (authenticator: SoftwareAuthenticator) => {
    const { body } = await t.api.post('/auth/passkey/options').expect(200);
    return t.api.post('/auth/passkey').send({ response: authenticator.get(body.data.options) });
  };
  const audited = async (userId: string) =>
    t.database.query(`SELECT action, data FROM audit_log WHERE target_id = $1 AND action LIKE 'passkey%' ORDER BY id`, [
      userId,
    ]);
  /** A user without a password, who signed in with a provider. */
  const social = async (): Promise<Bearer & { email: string }> => {
    const account = someone();
    const { accessToken } = await new Browser(t).signIn('google', account);
    return { bearer: bearer(accessToken), email: account.email! };
  };

  describe('are added', () => {
    it('with the options that a browser needs, of a user who is known by a random name', async () => {
      const actor = await t.actors.signedInUser({ name: 'Ada Lovelace' });
      const { body } = await start(actor).expect(200);
      expect(body.data.options).toEqual({
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        rp: { id: 'localhost', name: 'Tenantry' },
        user: { id: expect.stringMatching(/^[\w-]{86}$/), name: actor.user.email, displayName: 'Ada Lovelace' },
        pubKeyCredParams: [
          { type: 'public-key', alg: -7 },
          { type: 'public-key', alg: -257 },
        ],
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
        timeout: 300_000,
      });
      const authenticator = await enrol(actor);
      const again = (await start(actor).expect(200)).body.data.options;
      expect(again.user.id).toBe(body.data.options.user.id);
      expect(again.excludeCredentials).toEqual([
        { type: 'public-key', id: authenticator.id, transports: ['internal'] },
      ]);
    });

    it('with a name, reported by email and recorded; other sessions stay', async () => {
      const actor = await t.actors.signedInUser();
      const elsewhere = await t.actors.signIn(actor.user.email);
      const authenticator = new SoftwareAuthenticator();
      const response = authenticator.create((await start(actor).expect(200)).body.data.options);
      const { body } = await register(actor, { response, name: '  MacBook ' }).expect(200);
      expect(body.data).toEqual({
        id: authenticator.id,
        name: 'MacBook',
        isBackedUp: false,
        createdAt: expect.any(String),
        lastUsedAt: null,
      });
      expect((await list(actor)).items).toEqual([body.data]);
      await t.api.get('/auth/me').set(elsewhere.bearer).expect(200);
      const mail = await t.mailbox.titled(actor.user.email, 'A passkey was added to your account');
      expect(mail.text).not.toContain('MacBook');
      expect(await audited(actor.user.id)).toEqual([
        { action: 'passkey.added', data: { passkeyId: authenticator.id, name: 'MacBook' } },
      ]);
    });

    it('never without a fresh proof of the identity, nor during an impersonation', async () => {
      const actor = await t.actors.signedInUser();
      const authenticator = await enrol(actor);
      const acting = await t.actors.impersonating(await t.actors.admin(), actor);
      const response = new SoftwareAuthenticator().create((await start(actor).expect(200)).body.data.options);
      const requests = (by: SignedInUser) => [
        start(by),
        register(by, { response, name: 'Key' }),
        remove(by, authenticator.id),
      ];
      for (const request of requests(acting)) expect(codeOf(await request.expect(403))).toBe('NOT_WHILE_IMPERSONATING');
      await rename(acting, authenticator.id, 'Renamed').expect(403);
      t.clock.advance(10 * MINUTE + 1);
      for (const request of requests(actor)) expect(codeOf(await request.expect(403))).toBe('STEP_UP_REQUIRED');
      expect((await list(actor)).items).toHaveLength(1);
    });

    it('only with a name and the result of a browser', async () => {
      const actor = await t.actors.signedInUser();
      const response = new SoftwareAuthenticator().create((await start(actor).expect(200)).body.data.options);
      const { body } = await register(actor, { response: { id: 'short' }, name: 'www.evil.example' }).expect(400);
      expect(Object.keys(body.error.details).sort()).toEqual(['name', 'response.id', 'response.response']);
      const wrong = { ...response, response: { ...response.response, transports: ['usb', 7], attestationObject: '=' } };
      const { body: second } = await register(actor, { response: wrong, name: 'Key' }).expect(400);
      expect(Object.keys(second.error.details).sort()).toEqual([
        'response.response.attestationObject',
        'response.response.transports.1',
      ]);
    });

    it('up to 20, also by simultaneous requests', async () => {
      const actor = await t.actors.signedInUser();
      for (let i = 0; i < 19; i++) await enrol(actor, `Key ${i}`);
      const answers = await Promise.all(
        Array.from({ length: 2 }, async () => {
          const started = await start(actor);
          if (started.status === 409) return started; // the other one was done already
          const response = new SoftwareAuthenticator().create(started.body.data.options);
          return register(actor, { response, name: 'One more' });
        }),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
      if (!statuses.includes(200)) await enrol(actor);
      expect(codeOf(await start(actor).expect(409))).toBe('LIMIT_REACHED');
      const [{ n }] = await t.database.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM passkeys WHERE user_id = $1',
        [actor.user.id],
      );
      expect(n).toBe(20);
    });

    it('beyond 20 not even with options from before', async () => {
      const actor = await t.actors.signedInUser();
      const early = (await start(actor).expect(200)).body.data.options;
      await t.database.query(
        `INSERT INTO passkeys (id, user_id, public_key, counter, transports, is_backed_up, is_proven, name, created_at)
         SELECT sha256(i::text::bytea), $1, '', 0, '{}', false, false, 'Key', now() FROM generate_series(1, 20) i`,
        [actor.user.id],
      );
      const response = new SoftwareAuthenticator().create(early);
      expect(codeOf(await register(actor, { response, name: 'Key' }).expect(409))).toBe('LIMIT_REACHED');
    });
  });

  describe('are listed', () => {
    it('newest first, in pages', async () => {
      const actor = await t.actors.signedInUser();
      const names = ['first', 'second', 'third'];
      for (const name of names) {
        await enrol(actor, name);
        t.clock.advance(1);
      }
      const first = await list(actor, { limit: 2 });
      expect(first.items.map(({ name }: { name: string }) => name)).toEqual(['third', 'second']);
      const last = await list(actor, { limit: 2, cursor: first.nextCursor });
      expect(last).toMatchObject({ items: [{ name: 'first' }], nextCursor: null });
      expect(await list(await t.actors.signedInUser())).toEqual({ items: [], nextCursor: null });
    });
  });

  describe('are renamed', () => {
    it('by their owner only', async () => {
      const [actor, other] = [await t.actors.signedInUser(), await t.actors.signedInUser()];
      const { id } = await enrol(actor);
      expect((await rename(actor, id, 'YubiKey').expect(200)).body.data).toMatchObject({ id, name: 'YubiKey' });
      expect(codeOf(await rename(other, id, 'Stolen').expect(404))).toBe('NOT_FOUND');
      expect(codeOf(await rename(actor, id, '').expect(400))).toBe('VALIDATION_ERROR');
      expect((await list(actor)).items[0].name).toBe('YubiKey');
    });
  });

  describe('are removed', () => {
    it('by their owner only, after which they do not sign in; reported by email, sessions stay', async () => {
      const [actor, other] = [await t.actors.signedInUser(), await t.actors.signedInUser()];
      const authenticator = await enrol(actor);
      const { body } = (await signIn(authenticator)) as { body: { data: { accessToken: string } } };
      expect(codeOf(await remove(other, authenticator.id).expect(404))).toBe('NOT_FOUND');
      await remove(actor, authenticator.id).expect(200);
      expect(codeOf(await remove(actor, authenticator.id).expect(404))).toBe('NOT_FOUND');
      expect(codeOf(await signIn(authenticator))).toBe('PASSKEY_UNKNOWN');
      await t.api.get('/auth/me').set(bearer(body.data.accessToken)).expect(200);
      await t.mailbox.titled(actor.user.email, 'A passkey was removed from your account');
      expect(await audited(actor.user.id)).toMatchObject([
        { action: 'passkey.added' },
        { action: 'passkey.removed', data: { passkeyId: authenticator.id, reason: 'removed' } },
      ]);
    });

    it('only by an id that passkeys have', async () => {
      const actor = await t.actors.signedInUser();
      for (const id of ['a', 'a'.repeat(21), 'a'.repeat(1365), `${'a'.repeat(22)}.`, '%00'.repeat(22)])
        expect(codeOf(await remove(actor, id).expect(400))).toBe('VALIDATION_ERROR');
    });

    it('while something else opens the account: a password, a provider or another passkey', async () => {
      const actor = await social();
      const [first, second] = [await enrol(actor, 'first'), await enrol(actor, 'second')];
      await remove(actor, first.id).expect(200);
      await t.api.delete('/auth/providers/google').set(actor.bearer).expect(200); // the passkey is left
      expect(codeOf(await remove(actor, second.id).expect(409))).toBe('LAST_WAY_IN');
      await t.api.post('/auth/password').set(actor.bearer).send({ password: PASSWORD }).expect(200);
      await remove(actor, second.id).expect(200);
    });

    it('not together with the last provider by simultaneous requests', async () => {
      const actor = await social();
      const { id } = await enrol(actor);
      const answers = await Promise.all([remove(actor, id), t.api.delete('/auth/providers/google').set(actor.bearer)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    });

    it('with everything else that opens the account by the link "This was not me"', async () => {
      const actor = await t.actors.signedInUser();
      const { email } = actor.user;
      const authenticator = await enrol(actor);
      const { text } = await t.mailbox.titled(email, 'A passkey was added to your account');
      const token = /secure-account#token=([\w-]+)/.exec(text)![1];
      await t.api.post('/auth/secure-account').send({ token }).expect(200);
      expect(codeOf(await signIn(authenticator))).toBe('PASSKEY_UNKNOWN');
      await untilNoJobIsLeft(t);
      const subjects = t.mailbox.to(email).map(({ subject }) => subject);
      expect(subjects).toContain('Your account was secured');
      expect(subjects).not.toContain('A passkey was removed from your account');
      expect(await audited(actor.user.id)).toMatchObject([
        { action: 'passkey.added' },
        { action: 'passkey.removed', data: { reason: 'account-secured' } },
      ]);
    });

    it('never by a password reset', async () => {
      const actor = await t.actors.signedInUser();
      const { email } = actor.user;
      const authenticator = await enrol(actor);
      await t.api.post('/auth/password/forgot').send({ email }).expect(200);
      const { text } = await t.mailbox.titled(email, 'Reset your password');
      const token = /token=([\w-]+)/.exec(text)![1];
      await t.api.post('/auth/password/reset').send({ token, password: 'another long phrase' }).expect(200);
      expect((await signIn(authenticator)).status).toBe(200);
    });
  });

  it('leave no challenge that has expired', async () => {
    await t.api.post('/auth/passkey/options').expect(200);
    t.clock.advance(5 * MINUTE);
    await start(await t.actors.signedInUser()).expect(200);
    await t.nest.get(CommandBus).execute(new PurgePasskeyChallenges());
    const [{ n }] = await t.database.query<{ n: number }>('SELECT count(*)::int AS n FROM passkey_challenges');
    expect(n).toBe(1);
  });
});

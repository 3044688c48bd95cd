import { MINUTE } from '../../../src/platform/clock';
import { PASSWORD } from '../../support/actors';
import { TestApp } from '../../support/app';
import { AuthenticatorApp } from '../../support/authenticator-app';
import { codeOf } from '../../support/error-code';
import { SoftwareAuthenticator, type Cheat } from '../../support/software-authenticator';

/** What is refused in a registration as well as in a sign-in. */
const CHEATS: readonly [string, Cheat][] = [
  ['another origin', { origin: 'http://localhost:5173.evil.example' }],
  ['the same host with another port', { origin: 'http://localhost:8080' }],
  ['another relying party', { rpId: 'evil.example' }],
  ['a page that another origin embeds', { crossOrigin: true }],
  ['a page that a named origin embeds', { crossOrigin: true, topOrigin: 'https://evil.example' }],
  ['a user who was not verified', { isUserVerified: false }],
  ['a user who was not present', { isUserPresent: false }],
  ['a challenge of somebody else', { challenge: 'zF0pQmW8vX1sR5tY7uK9aB2cD4eG6hJ8kL0nP3qS5tU' }],
  ['a response of another kind', { type: 'payment.get' }],
  ['a copy of a key that cannot have one', { isBackedUp: true, isBackupEligible: false }],
  ['truncated data', { truncatedBy: 1 }],
  ['data that are missing but for a few bytes', { truncatedBy: 30 }],
];
const CHALLENGE = /challenge/;

describe('an authenticator that cheats', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ env: { LOG_LEVEL: 'trace' } });
  });
  afterAll(() => t.close());

  const options = async () => (await t.api.post('/auth/passkey/options').expect(200)).body.data.options;
  const signIn = (response: object) => t.api.post('/auth/passkey').send({ response });
  const enrolled = async () => {
    const actor = await t.actors.signedInUser();
    return { actor, authenticator: await SoftwareAuthenticator.enrol(t, actor) };
  };
  const expectedOf = (what: string) =>
    CHALLENGE.test(what) ? { status: 400, code: 'CHALLENGE_EXPIRED' } : { status: 401, code: 'PASSKEY_INVALID' };

  describe('does not sign in', () => {
    it.each<[string, Cheat]>([
      ...CHEATS,
      ['the data of a registration', { type: 'webauthn.create' }],
      ['a signature of something else', { isForged: true }],
      ['the name of another user', { userHandle: 'c29tZWJvZHkgZWxzZQ' }],
      ['no name of the user', { userHandle: null }],
    ])('with %s, and the challenge cannot be used again', async (what, cheat) => {
      const { authenticator } = await enrolled();
      const shown = await options();
      const { status, code } = expectedOf(what);
      const refused = await signIn(authenticator.get(shown, cheat)).expect(status);
      expect(codeOf(refused)).toBe(code);
      expect(refused.headers['set-cookie']).toBeUndefined();
      const again = await signIn(authenticator.get(shown));
      expect(again.status).toBe(CHALLENGE.test(what) ? 200 : 400);
      await signIn(authenticator.get(await options())).expect(200);
    });

    it('with a signature or a challenge that was used, nor after five minutes', async () => {
      const { authenticator } = await enrolled();
      const shown = await options();
      const response = authenticator.get(shown);
      await signIn(response).expect(200);
      expect(codeOf(await signIn(response).expect(400))).toBe('CHALLENGE_EXPIRED');
      expect(codeOf(await signIn(authenticator.get(shown)).expect(400))).toBe('CHALLENGE_EXPIRED');
      const late = await options();
      t.clock.advance(5 * MINUTE);
      expect(codeOf(await signIn(authenticator.get(late)).expect(400))).toBe('CHALLENGE_EXPIRED');
    });

    it('with a passkey that belongs to no account, or was removed', async () => {
      const { actor, authenticator } = await enrolled();
      const unknown = new SoftwareAuthenticator();
      expect(codeOf(await signIn(unknown.get(await options())).expect(404))).toBe('PASSKEY_UNKNOWN');
      await t.api.delete(`/auth/passkeys/${authenticator.id}`).set(actor.bearer).expect(200);
      expect(codeOf(await signIn(authenticator.get(await options())).expect(404))).toBe('PASSKEY_UNKNOWN');
    });

    it("as another user, by claiming that user's passkey", async () => {
      const { authenticator: victim } = await enrolled();
      const { authenticator } = await enrolled();
      const claimed = authenticator.get(await options(), { id: victim.id });
      expect(codeOf(await signIn(claimed).expect(401))).toBe('PASSKEY_INVALID');
    });

    it('with the challenge of a registration', async () => {
      const { actor, authenticator } = await enrolled();
      const { body } = await t.api.post('/auth/passkeys/options').set(actor.bearer).expect(200);
      const response = authenticator.get({ ...(await options()), challenge: body.data.options.challenge });
      expect(codeOf(await signIn(response).expect(400))).toBe('CHALLENGE_EXPIRED');
    });

    it.each<[string, (response: Record<string, unknown>) => object]>([
      ['client data that are no JSON', (response) => ({ ...response, clientDataJSON: 'bm8ganNvbg' })],
      ['client data that are null', (response) => ({ ...response, clientDataJSON: 'bnVsbA' })],
      ['an empty signature', (response) => ({ ...response, signature: '' })],
      ['base64 that is not URL-safe', (response) => ({ ...response, authenticatorData: 'a+b/c=' })],
      ['a number as signature', (response) => ({ ...response, signature: 1 })],
      ['data without end', (response) => ({ ...response, authenticatorData: 'A'.repeat(2001) })],
      ['no data', () => ({})],
    ])('with %s', async (_what, change) => {
      const { authenticator } = await enrolled();
      const { response, ...credential } = authenticator.get(await options());
      const refused = await signIn({ ...credential, response: change(response) });
      expect(['PASSKEY_INVALID', 'VALIDATION_ERROR']).toContain(codeOf(refused));
      expect([400, 401]).toContain(refused.status);
    });
  });

  describe('does not register', () => {
    const start = async (actor: { bearer: { Authorization: string } }) =>
      (await t.api.post('/auth/passkeys/options').set(actor.bearer).expect(200)).body.data.options;
    const register = (actor: { bearer: { Authorization: string } }, response: object) =>
      t.api.post('/auth/passkeys').set(actor.bearer).send({ response, name: 'Key' });

    it.each<[string, Cheat]>([
      ...CHEATS,
      ['the data of a sign-in', { type: 'webauthn.get' }],
      ['a kind of key that was not asked for', { keyField: [3, -8] }],
      ['another id than the signed one', { id: 'QUFBQUFBQUFBQUFBQUFBQQ' }],
      ['a key that verifies nothing', { keyField: [-2, Buffer.alloc(32, 1)] }],
    ])('with %s', async (what, cheat) => {
      const actor = await t.actors.signedInUser();
      const { status, code } = expectedOf(what);
      const response = new SoftwareAuthenticator().create(await start(actor), cheat);
      expect(codeOf(await register(actor, response).expect(status))).toBe(code);
      const { body } = await t.api.get('/auth/passkeys').set(actor.bearer).expect(200);
      expect(body.data.items).toEqual([]);
    });

    it('a passkey twice, nor that of another user', async () => {
      const { authenticator } = await enrolled();
      const attacker = await t.actors.signedInUser();
      const stolen = authenticator.create(await start(attacker));
      expect(codeOf(await register(attacker, stolen).expect(401))).toBe('PASSKEY_INVALID');
    });

    it("with another user's challenge, an earlier one, an expired one or a used one", async () => {
      const [actor, other] = [await t.actors.signedInUser(), await t.actors.signedInUser()];
      const authenticator = new SoftwareAuthenticator();
      const foreign = authenticator.create(await start(other));
      expect(codeOf(await register(actor, foreign).expect(400))).toBe('CHALLENGE_EXPIRED');
      const [earlier, latest] = [await start(actor), await start(actor)];
      expect(codeOf(await register(actor, authenticator.create(earlier)).expect(400))).toBe('CHALLENGE_EXPIRED');
      const response = authenticator.create(latest);
      await register(actor, response).expect(200);
      expect(codeOf(await register(actor, response).expect(400))).toBe('CHALLENGE_EXPIRED');
      const late = await start(actor);
      t.clock.advance(5 * MINUTE);
      const expired = new SoftwareAuthenticator().create(late);
      expect(codeOf(await register(actor, expired).expect(400))).toBe('CHALLENGE_EXPIRED');
    });

    it('with certificates, which are ignored: nothing is downloaded for them', async () => {
      const actor = await t.actors.signedInUser();
      const attestation = new Map<string, string | Map<string, string>>([
        ['fmt', 'packed'],
        ['attStmt', new Map([['x5c', 'http://127.0.0.1:1/crl']])],
      ]);
      const response = new SoftwareAuthenticator().create(await start(actor), { attestation });
      await register(actor, response).expect(200);
    });
  });

  it('is counted by the ticket that it tries, and recorded', async () => {
    const { actor, authenticator } = await enrolled();
    const app = await AuthenticatorApp.enrol(t, actor);
    const { body } = await t.api.post('/auth/login').send({ email: actor.user.email, password: PASSWORD }).expect(200);
    const { ticket } = body.data.secondFactor;
    const send = async (cheat: Cheat) =>
      t.api.post('/auth/second-factor').send({ ticket, passkey: authenticator.get(await options(), cheat) });
    for (let i = 0; i < 5; i++) expect(codeOf(await send({ isForged: true }))).toBe('PASSKEY_INVALID');
    expect(codeOf(await send({}))).toBe('TICKET_INVALID');
    expect(codeOf(await t.api.post('/auth/second-factor').send({ ticket, code: app.nextCode() }))).toBe(
      'TICKET_INVALID',
    );
  });

  it('finds the reason in the log of the service only, and no challenge that can be used', async () => {
    const { authenticator } = await enrolled();
    const shown = await options();
    await signIn(authenticator.get(shown, { origin: 'https://evil.example' })).expect(401);
    const line = t.logLines.find((text) => text.includes('https://evil.example'))!;
    expect(JSON.parse(line)).toMatchObject({ event: 'passkey.refused', reason: expect.stringContaining('origin') });
    const open = await options();
    const rows = await t.database.query('SELECT c::text AS row FROM passkey_challenges c');
    for (const text of [JSON.stringify(rows), t.logLines.join('\n')]) {
      expect(text).not.toContain(open.challenge);
      expect(text).not.toContain(Buffer.from(open.challenge).toString('hex'));
    }
  });
});

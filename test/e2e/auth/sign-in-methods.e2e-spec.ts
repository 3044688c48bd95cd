import { IdentityProvider, type ProviderAccount, type ProviderName } from '../../../dev/identity-provider';
import { MINUTE } from '../../../src/platform/clock';
import { bearer, claimsOf, PASSWORD, type Bearer } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';
import { Browser } from '../../support/browser';

describe('sign-in methods', () => {
  const identityProvider = new IdentityProvider();
  let t: TestApp;
  let users = 5000;
  beforeAll(async () => {
    t = await TestApp.start({ identityProvider });
  });
  afterAll(() => t.close());

  const account = (email = `ways${++users}@example.com`, wanted: Partial<ProviderAccount> = {}): ProviderAccount => ({
    id: String(++users),
    name: 'Grace',
    email,
    isEmailVerified: true,
    pictureUrl: 'https://pictures.test/grace.png',
    ...wanted,
  });
  const signIn = async (provider: ProviderName, as: ProviderAccount) => {
    const { accessToken, error } = await new Browser(t).signIn(provider, as);
    return { error, accessToken, bearer: bearer(accessToken) };
  };
  const methods = async (by: Bearer) => (await t.api.get('/auth/providers').set(by.bearer).expect(200)).body.data;
  const unlink = (by: Bearer, provider: string) => t.api.delete(`/auth/providers/${provider}`).set(by.bearer);
  const setPassword = (by: Bearer, password = PASSWORD) =>
    t.api.post('/auth/password').set(by.bearer).send({ password });
  const entries = async (userId: string, action: string) =>
    t.database.query<{ actor_id: string; data: object }>(
      'SELECT actor_id, data FROM audit_log WHERE target_id = $1 AND action = $2 ORDER BY id',
      [userId, action],
    );

  it('are listed with the password and with configured and linked providers', async () => {
    const actor = await t.actors.signedInUser();
    const none = ['google', 'github'].map((provider) => ({ provider, isConfigured: true, linkedAt: null }));
    expect(await methods(actor)).toEqual({ hasPassword: true, providers: none });
    await signIn('google', account(actor.user.email));
    expect(await methods(actor)).toEqual({
      hasPassword: true,
      providers: [{ ...none[0], linkedAt: expect.any(String) }, none[1]],
    });
    expect((await methods(await signIn('github', account()))).hasPassword).toBe(false);
    const bare = await TestApp.start({ beside: t });
    const { body } = await bare.api.get('/auth/providers').set(actor.bearer).expect(200);
    expect(body.data.providers[0]).toEqual({ provider: 'google', isConfigured: false, linkedAt: expect.any(String) });
    await bare.close();
    await t.api.get('/auth/providers').expect(401);
  });

  it('that are linked are mailed and recorded in the audit log', async () => {
    const actor = await t.actors.signedInUser();
    await signIn('github', account(actor.user.email));
    const mail = await t.mailbox.last(actor.user.email);
    expect([mail.subject, mail.text]).toEqual([
      'GitHub was linked to your account',
      expect.stringContaining('http://localhost:5173/secure-account#token='),
    ]);
    expect(await entries(actor.user.id, 'provider.linked')).toEqual([
      { actor_id: actor.user.id, data: { provider: 'github' } },
    ]);
    // another identity signs in by its address, and is not linked
    await signIn('github', account(actor.user.email));
    expect(await entries(actor.user.id, 'provider.linked')).toHaveLength(1);
  });

  it('that are unlinked no longer sign in, except by the verified address, which links and mails again', async () => {
    const actor = await t.actors.signedInUser();
    const linked = account(actor.user.email);
    await signIn('google', linked);
    const moved = { ...linked, email: 'somewhere-else@example.com', isEmailVerified: false };
    expect(claimsOf((await signIn('google', moved)).accessToken).sub).toBe(actor.user.id);
    expect((await unlink(actor, 'google').expect(200)).body.data).toBeNull();
    expect((await signIn('google', moved)).error).toBe('PROVIDER_EMAIL_UNVERIFIED');
    expect(await entries(actor.user.id, 'provider.unlinked')).toEqual([
      { actor_id: actor.user.id, data: { provider: 'google' } },
    ]);
    expect(codeOf(await unlink(actor, 'google').expect(404))).toBe('NOT_FOUND');
    expect(claimsOf((await signIn('google', linked)).accessToken).sub).toBe(actor.user.id);
    await t.mailbox.last(actor.user.email, 2);
    expect(codeOf(await unlink(actor, 'gitlab').expect(400))).toBe('VALIDATION_ERROR');
  });

  it('cannot all be removed, also not by simultaneous requests for the last two', async () => {
    const own = account();
    const actor = await signIn('google', own);
    expect(codeOf(await unlink(actor, 'google').expect(409))).toBe('LAST_WAY_IN');
    for (let round = 0; round < 5; round++) {
      await signIn('google', own);
      await signIn('github', account(own.email!));
      const responses = await Promise.all([unlink(actor, 'google'), unlink(actor, 'github')]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
    expect((await methods(actor)).providers.filter(({ linkedAt }: { linkedAt: unknown }) => linkedAt)).toHaveLength(1);
  });

  it('do not include a provider that is no longer configured', async () => {
    const actor = await signIn('google', account());
    await t.database.query(`INSERT INTO linked_providers VALUES ('github', $1, $2, now())`, [
      String(++users),
      claimsOf(actor.accessToken).sub,
    ]);
    const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, ...onlyGithub } = identityProvider.settings;
    const beside = await TestApp.start({ beside: t, env: onlyGithub });
    expect(codeOf(await beside.api.delete('/auth/providers/github').set(actor.bearer).expect(409))).toBe('LAST_WAY_IN');
    await beside.close();
    await unlink(actor, 'github').expect(200);
    expect([GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET]).not.toContain(undefined);
  });

  describe('can be extended by a password', () => {
    it('in a recent session, which ends the other sessions and allows unlinking the last provider', async () => {
      const own = account();
      const before = await new Browser(t).signIn('google', own);
      const actor = await signIn('google', own);
      expect((await setPassword(actor, 'password').expect(400)).body.error.details).toHaveProperty('password');
      expect((await setPassword(actor).expect(200)).body.data).toBeNull();
      await t.actors.signIn(own.email!);
      expect(codeOf(await t.api.post('/auth/refresh').send({ refreshToken: before.refreshToken }).expect(401))).toBe(
        'TOKEN_REUSE_DETECTED',
      );
      expect(codeOf(await setPassword(actor).expect(409))).toBe('CONFLICT');
      await unlink(actor, 'google').expect(200);
      await t.api.post('/auth/password').send({ password: PASSWORD }).expect(401);
    });

    it('but not in an older session with a new token, or in one that has ended', async () => {
      const own = account();
      const first = await new Browser(t).signIn('google', own);
      t.clock.advance(10 * MINUTE + 1);
      const { body } = await t.api.post('/auth/refresh').send({ refreshToken: first.refreshToken }).expect(200);
      expect(codeOf(await setPassword({ bearer: bearer(body.data.accessToken) }).expect(403))).toBe('STEP_UP_REQUIRED');
      const again = await new Browser(t).signIn('google', own);
      await t.api.post('/auth/logout').send({ refreshToken: again.refreshToken }).expect(200);
      expect((await setPassword({ bearer: bearer(again.accessToken) })).status).not.toBe(200);
      await setPassword(await signIn('google', own)).expect(200);
    });

    it('once by simultaneous requests', async () => {
      const actor = await signIn('google', account());
      const responses = await Promise.all([
        setPassword(actor, 'one good passphrase'),
        setPassword(actor, 'another passphrase'),
      ]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    });
  });

  it('lose all providers by a password reset only if it requests so', async () => {
    const actor = await t.actors.signedInUser();
    const linked = account(actor.user.email);
    const moved = { ...linked, isEmailVerified: false };
    await signIn('google', linked);
    const reset = async (nth: number, unlinkProviders?: unknown) => {
      await t.api.post('/auth/password/forgot').send({ email: actor.user.email }).expect(200);
      const mails = () => t.mailbox.to(actor.user.email).filter(({ subject }) => subject === 'Reset your password');
      const { text } = await eventually(() => mails().at(nth - 1), `mail ${nth} for a new password`);
      const token = /token=([\w-]+)/.exec(text)![1];
      return t.api.post('/auth/password/reset').send({ token, password: PASSWORD, unlinkProviders });
    };
    expect((await reset(1)).status).toBe(200);
    expect((await signIn('google', moved)).error).toBeUndefined();
    expect((await reset(2, 'yes')).status).toBe(400);
    expect((await reset(3, true)).status).toBe(200);
    expect((await signIn('google', moved)).error).toBe('PROVIDER_EMAIL_UNVERIFIED');
    expect(await entries(actor.user.id, 'provider.unlinked')).toHaveLength(1);
  });

  it('cannot be changed during an impersonation', async () => {
    const [admin, actor] = [await t.actors.admin(), await t.actors.signedInUser()];
    await signIn('google', account(actor.user.email));
    const acting = await t.actors.impersonating(admin, actor);
    expect(codeOf(await unlink(acting, 'google').expect(403))).toBe('NOT_WHILE_IMPERSONATING');
    expect(codeOf(await setPassword(acting).expect(403))).toBe('NOT_WHILE_IMPERSONATING');
  });
});

import { MINUTE } from '../../../src/platform/clock';
import { bearer, claimsOf, PASSWORD, type Pair, type SignedInUser } from '../../support/actors';
import { AuthenticatorApp } from '../../support/authenticator-app';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { SoftwareAuthenticator } from '../../support/software-authenticator';

const isAdmin = ({ accessToken }: Pick<Pair, 'accessToken'>) => claimsOf(accessToken).is_admin;

describe('admin access with ADMIN_SECOND_FACTOR=required', () => {
  let t: TestApp;
  const first = 'first.admin@example.com';
  beforeAll(async () => {
    t = await TestApp.start({ env: { ADMIN_SECOND_FACTOR: 'required', ADMIN_EMAILS: first } });
  });
  afterAll(() => t.close());

  const users = (by: SignedInUser) => t.api.get('/admin/users').set(by.bearer);
  const factors = async (by: SignedInUser) => (await t.api.get('/auth/factors').set(by.bearer).expect(200)).body.data;
  /** An admin with a second factor, in a session that has proven it. */
  const enrolled = async (wanted: Parameters<typeof t.actors.admin>[0] = {}) => {
    const before = await t.actors.admin(wanted);
    const app = await AuthenticatorApp.enrol(t, before);
    return { app, admin: await t.actors.refreshed(before) };
  };
  const tokensOf = (actor: SignedInUser, pair: Pair): SignedInUser => ({
    ...actor,
    ...pair,
    bearer: bearer(pair.accessToken),
  });
  /** A sign-in by password with the code of the app, in a browser that is trusted from then on. */
  const signIn = async ({ user: { email } }: SignedInUser, app: AuthenticatorApp) => {
    const device = await t.actors.knownDevice(email);
    const { body } = await t.api.post('/auth/login').set('Cookie', device).send({ email, password: PASSWORD });
    const { ticket } = body.data.secondFactor;
    const done = await t.api
      .post('/auth/second-factor')
      .set('Cookie', device)
      .send({ ticket, code: app.nextCode(), trustBrowser: true })
      .expect(200);
    return { pair: done.body.data as Pair, device };
  };

  it.each([
    ['with access stored in the account', { isAdmin: true }],
    ['of ADMIN_EMAILS', { isAdmin: false, email: first }],
  ])('starts for an admin %s at the first sign-in, by setting up a factor', async (_who, wanted) => {
    const before = await t.actors.admin(wanted);
    expect(isAdmin(before)).toBe(false);
    expect(codeOf(await users(before).expect(403))).toBe('FORBIDDEN');
    const me = await t.api.get('/auth/me').set(before.bearer).expect(200);
    expect(me.body.data.user.isAdmin).toBe(false);
    expect(await factors(before)).toMatchObject({ isRequired: true, totp: null });
    expect(isAdmin(await t.actors.refreshed(before))).toBe(false);
    const again = await t.actors.signIn(before.user.email);
    const own = { ...before, ...again };
    await AuthenticatorApp.enrol(t, own);
    const admin = await t.actors.refreshed(own);
    expect(isAdmin(admin)).toBe(true);
    await users(admin).expect(200);
    expect(await factors(admin)).toMatchObject({ isRequired: true, totp: { createdAt: expect.any(String) } });
  });

  it('starts for no one else, with a factor or without', async () => {
    const actor = await t.actors.signedInUser();
    await AuthenticatorApp.enrol(t, actor);
    const refreshed = await t.actors.refreshed(actor);
    expect([isAdmin(refreshed), (await factors(refreshed)).isRequired]).toEqual([false, false]);
    await users(refreshed).expect(403);
  });

  it('is given by a sign-in with the factor, also when it is refreshed, repeated or for another tenant', async () => {
    const { admin, app } = await enrolled();
    const { pair } = await signIn(admin, app);
    expect(isAdmin(pair)).toBe(true);
    const { body } = await t.api.post('/tenants').set(bearer(pair.accessToken)).send({ name: 'Acme' }).expect(200);
    const switched = await t.api
      .post('/auth/switch-tenant')
      .set(bearer(pair.accessToken))
      .send({ tenantId: body.data.id })
      .expect(200);
    expect(isAdmin(switched.body.data)).toBe(true);
    const refresh = () =>
      t.api
        .post('/auth/refresh')
        .set('Idempotency-Key', `a-key-of-this-refresh-${admin.user.id}`)
        .send({ refreshToken: pair.refreshToken })
        .expect(200);
    expect([isAdmin((await refresh()).body.data), isAdmin((await refresh()).body.data)]).toEqual([true, true]);
  });

  it('is given by a sign-in with a passkey, without an authenticator app', async () => {
    const before = await t.actors.admin();
    const authenticator = await SoftwareAuthenticator.enrol(t, before);
    expect(isAdmin(await t.actors.refreshed(before))).toBe(false); // it was added, not used
    const { options } = (await t.api.post('/auth/passkey/options').expect(200)).body.data;
    const { body } = await t.api
      .post('/auth/passkey')
      .send({ response: authenticator.get(options) })
      .expect(200);
    expect(isAdmin(body.data)).toBe(true);
    await users(tokensOf(before, body.data)).expect(200);
    expect(isAdmin(await t.actors.signIn(before.user.email))).toBe(false); // by password
  });

  it('is not won with the password of an admin who has a passkey, by adding another factor', async () => {
    const before = await t.actors.admin();
    const authenticator = await SoftwareAuthenticator.enrol(t, before);
    const thief = tokensOf(before, await t.actors.signIn(before.user.email));
    const add = () => t.api.post('/auth/factors/totp').set(thief.bearer);
    const confirm = (proof: object) => t.api.post('/auth/step-up').set(thief.bearer).send(proof);
    expect(codeOf(await add().expect(403))).toBe('STEP_UP_REQUIRED');
    const methods = await t.api.get('/auth/step-up').set(thief.bearer).expect(200);
    expect(methods.body.data.methods).toEqual(['passkey']);
    await confirm({ password: PASSWORD }).expect(400);
    expect(codeOf(await add().expect(403))).toBe('STEP_UP_REQUIRED');
    const { options } = (await t.api.post('/auth/passkey/options').expect(200)).body.data;
    await confirm({ passkey: authenticator.get(options) }).expect(200);
    await add().expect(200);
  });

  it('asks no one else for a passkey that they have', async () => {
    const before = await t.actors.signedInUser();
    await SoftwareAuthenticator.enrol(t, before);
    const again = tokensOf(before, await t.actors.signIn(before.user.email));
    await t.api.post('/auth/factors/totp').set(again.bearer).expect(200);
  });

  it('is not given in a trusted browser before the factor is confirmed', async () => {
    const { admin, app } = await enrolled();
    const { email } = admin.user;
    const { device } = await signIn(admin, app);
    const { body } = await t.api
      .post('/auth/login')
      .set('Cookie', device)
      .send({ email, password: PASSWORD })
      .expect(200);
    const trusted = tokensOf(admin, body.data as Pair);
    expect(isAdmin(trusted)).toBe(false);
    await users(trusted).expect(403);
    expect(await factors(trusted)).toMatchObject({ isRequired: true, totp: { createdAt: expect.any(String) } });
    await t.api.post('/auth/step-up').set(trusted.bearer).send({ password: PASSWORD }).expect(400);
    expect(isAdmin(await t.actors.refreshed(trusted))).toBe(false);
    const again = tokensOf(
      admin,
      (await t.api.post('/auth/login').set('Cookie', device).send({ email, password: PASSWORD })).body.data as Pair,
    );
    await t.api.post('/auth/step-up').set(again.bearer).send({ code: app.nextCode() }).expect(200);
    await users(await t.actors.refreshed(again)).expect(200);
  });

  it('ends when the admin removes the factor, and starts again with a new one', async () => {
    const { admin } = await enrolled();
    await t.api.delete('/auth/factors/totp').set(admin.bearer).expect(200);
    const without = await t.actors.refreshed(admin);
    expect(isAdmin(without)).toBe(false);
    await users(without).expect(403);
    await AuthenticatorApp.enrol(t, without);
    expect(isAdmin(await t.actors.refreshed(without))).toBe(true);
  });

  it('lets an admin impersonate only with a second factor in the last ten minutes', async () => {
    const target = await t.actors.signedInUser();
    const { admin, app } = await enrolled();
    const impersonate = (by: SignedInUser) =>
      t.api.post(`/admin/users/${target.user.id}/impersonate`).set(by.bearer).send({});
    const { body } = await impersonate(admin).expect(200);
    expect(claimsOf(body.data.accessToken)).toMatchObject({ impersonator_id: admin.user.id, is_admin: false });
    t.clock.advance(10 * MINUTE + 1);
    const later = await t.actors.refreshed(admin);
    expect(isAdmin(later)).toBe(true);
    expect(codeOf(await impersonate(later).expect(403))).toBe('STEP_UP_REQUIRED');
    await t.api.post('/auth/step-up').set(later.bearer).send({ password: PASSWORD }).expect(400);
    expect(codeOf(await impersonate(later).expect(403))).toBe('STEP_UP_REQUIRED');
    await t.api.post('/auth/step-up').set(later.bearer).send({ code: app.nextCode() }).expect(200);
    await impersonate(later).expect(200);
  });

  it('is shown in the security posture, with whether a user has a factor', async () => {
    const { admin } = await enrolled();
    const { body } = await t.api.get('/admin/overview').set(admin.bearer).expect(200);
    expect(body.data.security.adminSecondFactor).toBe(true);
    const hasSecondFactor = async ({ user }: SignedInUser) =>
      (await t.api.get(`/admin/users/${user.id}`).set(admin.bearer).expect(200)).body.data.hasSecondFactor;
    expect([await hasSecondFactor(admin), await hasSecondFactor(await t.actors.signedInUser())]).toEqual([true, false]);
  });
});

describe('admin access with ADMIN_SECOND_FACTOR=optional', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  it('needs no second factor, and says so', async () => {
    const admin = await t.actors.admin();
    expect(isAdmin(admin)).toBe(true);
    const { body } = await t.api.get('/admin/overview').set(admin.bearer).expect(200);
    expect(body.data.security.adminSecondFactor).toBe(false);
    const factors = await t.api.get('/auth/factors').set(admin.bearer).expect(200);
    expect(factors.body.data.isRequired).toBe(false);
  });
});

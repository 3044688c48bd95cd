import { CommandBus } from '@nestjs/cqrs';
import { RemindOfSignInPolicies } from '../../../src/auth/commands/remind-of-sign-in-policies';
import { CreateTenant } from '../../../src/tenants/commands/create-tenant';
import { DAY, HOUR } from '../../../src/platform/clock';
import { newId } from '../../../src/platform/ids';
import { bearer, claimsOf, PASSWORD, type Bearer, type Member, type SignedInUser } from '../../support/actors';
import { AuthenticatorApp } from '../../support/authenticator-app';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { untilNoJobIsDue } from '../../support/job-queue';
import { SoftwareAuthenticator } from '../../support/software-authenticator';

describe('the sign-in policy of a tenant', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  const put = (by: Bearer, rules: object) => t.api.put('/tenants/current/sign-in-policy').set(by.bearer).send(rules);
  const inDays = (days: number) => new Date(t.clock.now().getTime() + days * DAY * 1000).toISOString();
  const tenantOf = async (actor: SignedInUser) => claimsOf((await t.actors.refreshed(actor)).accessToken).tenant_id;
  const switchTo = (by: Bearer, tenantId: string) =>
    t.api.post('/auth/switch-tenant').set(by.bearer).send({ tenantId });
  const obstacles = async (by: Bearer): Promise<Record<string, string | null>> => {
    const { items } = (await t.api.get('/tenants').set(by.bearer).expect(200)).body.data;
    return Object.fromEntries(
      items.map(({ tenant, obstacle }: { tenant: { name: string }; obstacle: string | null }) => [
        tenant.name,
        obstacle,
      ]),
    );
  };
  /** An Owner with a second factor. */
  const owner = async (tenantName = 'Acme') => {
    const actor = await t.actors.owner({ tenantName });
    const app = await AuthenticatorApp.enrol(t, actor);
    return { app, owner: await t.actors.refreshed(actor) };
  };
  /** A member with another workspace of their own. */
  const member = async (of: Member): Promise<Member & { own: string }> => {
    const actor = await t.actors.member(of);
    const by = { userId: actor.user.id, impersonatorId: null };
    const own = await t.nest.get(CommandBus).execute(new CreateTenant(by, 'Own'));
    if (!own.ok) throw new Error(own.failure.code);
    await switchTo(actor, of.tenantId).expect(200);
    return { ...actor, own: own.value.id };
  };

  it('is empty at first, and set by who may manage the security', async () => {
    const { owner: by } = await owner();
    const none = {
      secondFactorFrom: null,
      maxSessionHours: null,
      allowedMethods: null,
      maxTokenDays: null,
      updatedAt: null,
    };
    const read = (who: Bearer) => t.api.get('/tenants/current/sign-in-policy').set(who.bearer);
    expect((await read(by).expect(200)).body.data).toEqual(none);
    const methods = ['password', 'google'];
    const rules = { secondFactorFrom: inDays(7), maxSessionHours: 12, allowedMethods: methods, maxTokenDays: 30 };
    expect((await put(by, rules).expect(200)).body.data).toEqual({ ...rules, updatedAt: expect.any(String) });
    const colleague = await t.actors.member(by);
    expect((await read(colleague).expect(200)).body.data).toMatchObject(rules);
    expect(codeOf(await put(colleague, {}).expect(403))).toBe('FORBIDDEN');
    for (const wrong of [
      { maxSessionHours: 0 },
      { maxTokenDays: 367 },
      { allowedMethods: [] },
      { allowedMethods: ['fax'] },
      { secondFactorFrom: 1 },
    ])
      expect(codeOf(await put(by, wrong).expect(400))).toBe('VALIDATION_ERROR');
    expect((await put(by, {}).expect(200)).body.data).toEqual({ ...none, updatedAt: expect.any(String) });
  });

  it('cannot lock out who sets it, nor be set during an impersonation or without a fresh proof', async () => {
    const plain = await t.actors.owner();
    expect(codeOf(await put(plain, { secondFactorFrom: inDays(7) }).expect(409))).toBe('POLICY_WOULD_LOCK_YOU_OUT');
    expect(codeOf(await put(plain, { allowedMethods: ['google'] }).expect(409))).toBe('POLICY_WOULD_LOCK_YOU_OUT');
    await put(plain, { maxSessionHours: 8 }).expect(200);
    const acting = await t.actors.impersonating(await t.actors.admin(), plain);
    expect(codeOf(await put(acting, {}).expect(403))).toBe('NOT_WHILE_IMPERSONATING');
    t.clock.advance(11 * 60);
    expect(codeOf(await put(await t.actors.refreshed(plain), {}).expect(403))).toBe('STEP_UP_REQUIRED');
  });

  it('is met by a passkey: as second factor, and as an allowed method', async () => {
    const by = await t.actors.owner();
    const rules = { secondFactorFrom: inDays(0), allowedMethods: ['passkey'] };
    expect(codeOf(await put(by, rules).expect(409))).toBe('POLICY_WOULD_LOCK_YOU_OUT');
    const authenticator = await SoftwareAuthenticator.enrol(t, by);
    expect(codeOf(await put(by, rules).expect(409))).toBe('POLICY_WOULD_LOCK_YOU_OUT'); // signed in by password
    const { options } = (await t.api.post('/auth/passkey/options').expect(200)).body.data;
    const { body } = await t.api
      .post('/auth/passkey')
      .send({ response: authenticator.get(options) })
      .expect(200);
    const own = { ...by, ...body.data, bearer: bearer(body.data.accessToken) };
    expect((await put(own, rules).expect(200)).body.data).toMatchObject({ allowedMethods: ['passkey'] });
    t.clock.advance(1);
    expect(await tenantOf(own)).toBe(by.tenantId);
    const byPassword = await t.actors.signIn(by.user.email);
    expect(claimsOf(byPassword.accessToken).tenant_id).toBeUndefined();
  });

  it('keeps sessions without the second factor out from its day on, but not out of other tenants', async () => {
    const { owner: by } = await owner();
    const actor = await member(by);
    await put(by, { secondFactorFrom: inDays(7) }).expect(200);
    expect(await tenantOf(await t.actors.signIn(actor.user.email).then((pair) => ({ ...actor, ...pair })))).toBe(
      by.tenantId,
    );
    expect(await obstacles(actor)).toEqual({ Acme: null, Own: null });
    t.clock.advance(7 * DAY);
    const later = { ...actor, ...(await t.actors.signIn(actor.user.email)) };
    expect(claimsOf(later.accessToken).tenant_id).toBe(actor.own);
    expect(await obstacles(later)).toEqual({ Acme: 'second-factor', Own: null });
    expect(codeOf(await switchTo(later, by.tenantId).expect(403))).toBe('SECOND_FACTOR_REQUIRED');
    const named = await t.api.post('/auth/refresh').send({ refreshToken: later.refreshToken, tenantId: by.tenantId });
    expect(claimsOf(named.body.data.accessToken).tenant_id).toBe(actor.own);
    const members = await t.database.query('SELECT FROM memberships WHERE tenant_id = $1', [by.tenantId]);
    expect(members).toHaveLength(2); // nobody was removed
    // enrolling in the same session is enough
    const session = { ...later, ...named.body.data, bearer: bearer(named.body.data.accessToken) };
    await AuthenticatorApp.enrol(t, session);
    expect(await obstacles(session)).toEqual({ Acme: null, Own: null });
    const switched = await switchTo(session, by.tenantId).expect(200);
    expect(claimsOf(switched.body.data.accessToken)).toMatchObject({ tenant_id: by.tenantId, role: 'Member' });
    expect(await tenantOf(session)).toBe(by.tenantId);
  });

  it('moves a session whose tenant it is to another one at the next refresh, and back after the factor', async () => {
    const { owner: by } = await owner();
    const actor = await member(by);
    await put(by, { secondFactorFrom: inDays(-1) }).expect(200); // at once
    await t.api.get('/tenants/current/members').set(actor.bearer).expect(200); // as after a change of the role
    const refreshed = await t.actors.refreshed(actor);
    expect(claimsOf(refreshed.accessToken).tenant_id).toBe(actor.own);
    await AuthenticatorApp.enrol(t, refreshed);
    expect(await tenantOf(refreshed)).toBe(by.tenantId);
  });

  it('leaves a member of no other tenant signed in, without a tenant', async () => {
    const { owner: by } = await owner();
    const actor = await t.actors.member(by);
    await put(by, { secondFactorFrom: inDays(-1) }).expect(200);
    const refreshed = await t.actors.refreshed(actor);
    expect(claimsOf(refreshed.accessToken)).toMatchObject({ role: '', permissions: [] });
    await t.api.get('/auth/me').set(refreshed.bearer).expect(200);
    expect(codeOf(await t.api.get('/tenants/current').set(refreshed.bearer))).not.toBeUndefined();
  });

  it('asks for the factor in a trusted browser as well', async () => {
    const { owner: by, app } = await owner();
    await put(by, { secondFactorFrom: inDays(-1) }).expect(200);
    const { email } = by.user;
    const first = await t.api.post('/auth/login').send({ email, password: PASSWORD }).expect(200);
    const cookieOf = (headers: Record<string, unknown>) =>
      (headers['set-cookie'] as string[]).find((one) => one.startsWith('device='))!.split(';')[0];
    const { ticket } = first.body.data.secondFactor;
    const complete = t.api.post('/auth/second-factor').set('Cookie', cookieOf(first.headers));
    const done = await complete.send({ ticket, code: app.nextCode(), trustBrowser: true }).expect(200);
    expect(claimsOf(done.body.data.accessToken).tenant_id).toBe(by.tenantId);
    const trusted = await t.api
      .post('/auth/login')
      .set('Cookie', cookieOf(done.headers))
      .send({ email, password: PASSWORD })
      .expect(200);
    const { accessToken, refreshToken } = trusted.body.data;
    expect(claimsOf(accessToken).tenant_id).toBeUndefined();
    const session = { ...by, accessToken, refreshToken, bearer: bearer(accessToken) };
    await t.api.post('/auth/step-up').set(session.bearer).send({ code: app.nextCode() }).expect(200);
    expect(await tenantOf(session)).toBe(by.tenantId);
  });

  it('limits how long a session is used, and how it has started', async () => {
    const { owner: by } = await owner();
    const actor = await member(by);
    await put(by, { maxSessionHours: 8 }).expect(200);
    t.clock.advance(8 * HOUR - 60);
    const still = await t.actors.refreshed(actor);
    expect(claimsOf(still.accessToken).tenant_id).toBe(by.tenantId);
    t.clock.advance(120);
    const old = await t.actors.refreshed(still);
    expect(claimsOf(old.accessToken).tenant_id).toBe(actor.own);
    expect(codeOf(await switchTo(old, by.tenantId).expect(403))).toBe('SESSION_TOO_OLD');
    const again = await t.actors.signIn(actor.user.email);
    await switchTo(again, by.tenantId).expect(200);
    const { owner: strict } = await owner('Strict');
    const second = await t.actors.member(strict);
    await t.database.query(`UPDATE sessions SET methods = '{magic-link,totp}' WHERE user_id = $1`, [second.user.id]);
    await put(strict, { allowedMethods: ['password'] }).expect(200);
    expect(codeOf(await switchTo(second, strict.tenantId).expect(403))).toBe('SIGN_IN_METHOD_NOT_ALLOWED');
    expect(claimsOf((await t.actors.signIn(second.user.email)).accessToken).tenant_id).toBe(strict.tenantId);
  });

  it('is met by a session that proves an allowed method later, which no code of an email does', async () => {
    const { owner: by } = await owner('Proven');
    const actor = await t.actors.member(by);
    const start = (methods: string) =>
      t.database.query('UPDATE sessions SET methods = $2::text[] WHERE user_id = $1', [actor.user.id, methods]);
    await put(by, { allowedMethods: ['password'] }).expect(200);
    await start('{google,email-code}');
    expect(codeOf(await switchTo(actor, by.tenantId).expect(403))).toBe('SIGN_IN_METHOD_NOT_ALLOWED');
    await t.api.post('/auth/step-up').set(actor.bearer).send({ password: 'a wrong phrase' }).expect(401);
    expect(codeOf(await switchTo(actor, by.tenantId).expect(403))).toBe('SIGN_IN_METHOD_NOT_ALLOWED');
    await t.api.post('/auth/step-up').set(actor.bearer).send({ password: PASSWORD }).expect(200);
    await switchTo(actor, by.tenantId).expect(200);
    await put(by, { allowedMethods: ['password', 'magic-link'] }).expect(200);
    await start('{google,email-code}');
    expect(codeOf(await switchTo(actor, by.tenantId).expect(403))).toBe('SIGN_IN_METHOD_NOT_ALLOWED');
  });

  it('tells members without a factor at once and a day before, by email and notification, each once', async () => {
    const { owner: by } = await owner('Told');
    const [plain, ready] = [await t.actors.member(by), await t.actors.member(by)];
    await AuthenticatorApp.enrol(t, ready);
    const mails = (who: SignedInUser) =>
      t.mailbox.to(who.user.email).filter(({ subject }) => subject === 'Told will require a second factor');
    const remind = () => t.nest.get(CommandBus).execute(new RemindOfSignInPolicies());
    await put(by, { secondFactorFrom: inDays(7) }).expect(200);
    await untilNoJobIsDue(t);
    expect([mails(plain).length, mails(ready).length, mails(by).length]).toEqual([1, 0, 0]);
    expect(mails(plain)[0].text).toContain('http://localhost:5173/account');
    const { items } = (await t.api.get('/notifications').set(plain.bearer).expect(200)).body.data;
    expect(items[0]).toMatchObject({ kind: 'SecondFactorRequired', data: { tenantName: 'Told' } });
    await remind();
    await untilNoJobIsDue(t);
    expect(mails(plain)).toHaveLength(1); // not yet
    t.clock.advance(6.5 * DAY);
    await Promise.all([remind(), remind()]);
    await remind();
    await untilNoJobIsDue(t);
    expect([mails(plain).length, mails(ready).length]).toEqual([2, 0]);
  });

  it('reminds a day before, even if another rule was changed in the meantime', async () => {
    const { owner: by, app } = await owner('Again');
    const plain = await t.actors.member(by);
    const from = inDays(7);
    const mails = () => t.mailbox.to(plain.user.email).filter(({ subject }) => subject.startsWith('Again will'));
    await put(by, { secondFactorFrom: from }).expect(200);
    t.clock.advance(5.5 * DAY);
    const later = await t.actors.refreshed(by);
    await t.api.post('/auth/step-up').set(later.bearer).send({ code: app.nextCode() }).expect(200);
    await put(later, { secondFactorFrom: from, maxSessionHours: 720 }).expect(200);
    t.clock.advance(0.9 * DAY);
    await t.nest.get(CommandBus).execute(new RemindOfSignInPolicies());
    await untilNoJobIsDue(t);
    expect(mails()).toHaveLength(2); // at once, and a day before
  });

  it('takes a session back to the tenant that it kept out, once it is met', async () => {
    const { owner: by } = await owner();
    const actor = await member(by);
    await put(by, { secondFactorFrom: inDays(-1) }).expect(200);
    const later = { ...actor, ...(await t.actors.signIn(actor.user.email)) };
    expect(claimsOf(later.accessToken).tenant_id).toBe(actor.own);
    await AuthenticatorApp.enrol(t, later);
    expect(await tenantOf(later)).toBe(by.tenantId);
  });

  it('shows who is ready to those who manage the security only', async () => {
    const { owner: by } = await owner();
    const actor = await t.actors.member(by);
    const seen = async (who: Bearer) => {
      const { items } = (await t.api.get('/tenants/current/members').set(who.bearer).expect(200)).body.data;
      return items.map(({ hasSecondFactor }: { hasSecondFactor: unknown }) => hasSecondFactor);
    };
    expect(await seen(by)).toEqual([true, false]);
    expect(await seen(actor)).toEqual([null, null]);
  });

  it('costs a page of 1,000 members one query, and nobody an account or another tenant', async () => {
    const { owner: by } = await owner();
    const [roleId, now] = [await t.actors.roleId(by, 'Member'), t.clock.now()];
    await t.database.query(
      `WITH people AS (
         INSERT INTO users (id, email, name, is_email_verified, email_verified_at, created_at)
         SELECT gen_random_uuid(), 'p' || n || '-' || $4, 'P', true, $3, $3 FROM generate_series(1, 1000) n
         RETURNING id)
       INSERT INTO memberships (tenant_id, user_id, id, role_id, is_owner, joined_at)
       SELECT $1, id, gen_random_uuid(), $2, false, $3 FROM people`,
      [by.tenantId, roleId, now, `${newId()}@example.com`],
    );
    await put(by, { secondFactorFrom: inDays(-1) }).expect(200);
    const page = await t.api.get('/tenants/current/members').query({ limit: 100 }).set(by.bearer).expect(200);
    expect(
      page.body.data.items.filter((one: { hasSecondFactor: boolean }) => !one.hasSecondFactor).length,
    ).toBeGreaterThan(97);
    const [counts] = await t.database.query(
      `SELECT (SELECT count(*)::int FROM memberships WHERE tenant_id = $1) AS members,
              (SELECT count(*)::int FROM users
                WHERE email LIKE 'p%-%@example.com' AND disabled_at IS NULL) AS accounts`,
      [by.tenantId],
    );
    expect(counts).toEqual({ members: 1001, accounts: 1000 });
  });

  it('can be removed by an operator when no member can meet it', async () => {
    const { owner: by } = await owner();
    await put(by, { maxSessionHours: 1 }).expect(200);
    const admin = await t.actors.admin();
    const remove = (who: Bearer) => t.api.delete(`/admin/tenants/${by.tenantId}/sign-in-policy`).set(who.bearer);
    const shown = async () =>
      (await t.api.get(`/admin/tenants/${by.tenantId}`).set(admin.bearer).expect(200)).body.data.signInPolicy;
    expect(codeOf(await remove(by).expect(403))).toBe('FORBIDDEN');
    expect(await shown()).toMatchObject({ maxSessionHours: 1, allowedMethods: null, updatedAt: expect.any(String) });
    await remove(admin).expect(200);
    expect(await shown()).toMatchObject({ maxSessionHours: null, updatedAt: null });
    expect(codeOf(await remove(admin).expect(404))).toBe('NOT_FOUND');
    expect((await t.api.get('/tenants/current/sign-in-policy').set(by.bearer)).body.data.updatedAt).toBeNull();
    const [entry] = await t.database.query(
      `SELECT actor_id AS "actorId" FROM audit_log WHERE tenant_id = $1 AND action = 'sign-in-policy.removed'`,
      [by.tenantId],
    );
    expect(entry).toEqual({ actorId: admin.user.id });
  });
});

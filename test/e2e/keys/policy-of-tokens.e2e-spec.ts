import { DAY, HOUR, MINUTE } from '../../../src/platform/clock';
import { newPersonalToken, newServiceAccount, newServiceKey } from '../../support/api-keys';
import type { Bearer, Member } from '../../support/actors';
import { AuthenticatorApp } from '../../support/authenticator-app';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { eventually } from '../../support/eventually';

const READ = 'tenant.projects.read';

describe('the sign-in policy of a tenant', () => {
  let t: TestApp;
  /** An Owner whose session has proven a second factor. */
  let owner: Member;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  beforeEach(async () => {
    const plain = await t.actors.owner({ plan: 'Pro' });
    await AuthenticatorApp.enrol(t, plain);
    owner = await t.actors.refreshed(plain);
  });
  afterAll(() => t.close());

  const inDays = (days: number) => new Date(t.clock.now().getTime() + days * DAY * 1000).toISOString();
  const put = (rules: object) => t.api.put('/tenants/current/sign-in-policy').set(owner.bearer).send(rules).expect(200);
  const read = (by: Bearer) => t.api.get('/tenants/current/projects').set(by.bearer);
  const untilRefused = (by: Bearer) =>
    eventually(async () => ((await read(by)).status === 403 ? true : undefined), 'the refusal', 1000);
  const createToken = (by: Bearer) =>
    t.api
      .post('/users/me/tokens')
      .set(by.bearer)
      .send({ name: 'Laptop', permissions: [READ], expiresAt: inDays(1) });

  it('refuses personal tokens that were created without a second factor, from its day on', async () => {
    const member = await t.actors.member(owner);
    const token = await newPersonalToken(t, member, [READ]);
    const proven = await newPersonalToken(t, owner, [READ]);
    const service = await newServiceKey(t, owner, [READ]);
    for (const key of [token, proven, service]) await read(key).expect(200);
    await put({ secondFactorFrom: inDays(0.01) });
    await read(token).expect(200);
    t.clock.advance(0.01 * DAY + 1);
    expect(codeOf(await read(token).expect(403))).toBe('SECOND_FACTOR_REQUIRED');
    for (const key of [proven, service]) await read(key).expect(200);
    expect(codeOf(await t.api.get('/auth/me').set(token.bearer).expect(403))).toBe('API_KEY_NOT_ALLOWED');
    owner = await t.actors.refreshed(owner);
    await t.database.query('DELETE FROM sign_in_policies WHERE tenant_id = $1', [owner.tenantId]);
    t.clock.advance(MINUTE + 1);
    await read(token).expect(200);
  });

  it('refuses a personal token whose second factor the account no longer has', async () => {
    const admin = await t.actors.member(owner, 'Admin');
    await AuthenticatorApp.enrol(t, admin);
    const token = await newPersonalToken(t, admin, [READ]);
    await put({ secondFactorFrom: inDays(0) });
    await read(token).expect(200);
    await t.api.delete('/auth/factors/totp').set(admin.bearer).expect(200);
    await untilRefused(token);
    expect(codeOf(await read(token).expect(403))).toBe('SECOND_FACTOR_REQUIRED');
  });

  it('refuses within a second a personal token that was created by another method', async () => {
    const token = await newPersonalToken(t, owner, [READ]);
    await read(token).expect(200);
    await put({ allowedMethods: ['password'] });
    await read(token).expect(200);
    await t.database.query(`UPDATE sign_in_policies SET allowed_methods = '{google}' WHERE tenant_id = $1`, [
      owner.tenantId,
    ]);
    t.clock.advance(MINUTE + 1);
    expect(codeOf(await read(token).expect(403))).toBe('SIGN_IN_METHOD_NOT_ALLOWED');
  });

  it('refuses personal tokens from before what they prove was known, where it asks for something', async () => {
    const token = await newPersonalToken(t, owner, [READ]);
    const { id } = token;
    await t.database.query(`UPDATE api_keys SET methods = '{}', second_factor_at = NULL WHERE id = $1`, [id]);
    await put({ maxSessionHours: 8, maxTokenDays: 90 });
    await read(token).expect(200);
    await put({ allowedMethods: ['password'] });
    await untilRefused(token);
    expect(codeOf(await read(token).expect(403))).toBe('SIGN_IN_METHOD_NOT_ALLOWED');
    await put({ secondFactorFrom: inDays(0) });
    await eventually(
      async () => (codeOf(await read(token)) === 'SECOND_FACTOR_REQUIRED' ? true : undefined),
      'the refusal',
      1000,
    );
    await put({});
    await eventually(async () => ((await read(token)).status === 200 ? true : undefined), 'the access', 1000);
  });

  it('lets an access token from before it make and delete nothing that lasts', async () => {
    const member = await t.actors.member(owner, 'Admin');
    const accountId = await newServiceAccount(t, owner);
    const { id: keyId } = await newServiceKey(t, owner, [READ]);
    await put({ secondFactorFrom: inDays(0) });
    const send = (method: 'post' | 'delete' | 'patch', path: string, body?: object) =>
      t.api[method](path).set(member.bearer).send(body);
    const url = 'https://example.com/hook';
    for (const refused of [
      createToken(member),
      send('post', `/tenants/current/service-accounts/${accountId}/keys`, { name: 'Mine', permissions: [READ] }),
      send('post', `/tenants/current/keys/${keyId}/rotate`, { overlapHours: 1 }),
      send('delete', `/tenants/current/keys/${keyId}`),
      send('delete', `/tenants/current/service-accounts/${accountId}`),
      send('post', '/tenants/current/webhooks', { url, types: null }),
      send('post', '/tenants/current/audit-streams', { url }),
      send('delete', `/tenants/current/members/${owner.user.id}`),
    ])
      expect(codeOf(await refused.expect(403))).toBe('SECOND_FACTOR_REQUIRED');
    await read(member).expect(200); // an access token is refused at its next refresh
    await t.api.get('/users/me/tokens').set(member.bearer).expect(200);
    await t.api.delete('/auth/sessions').set(member.bearer).expect(200);
    await AuthenticatorApp.enrol(t, member); // the account, and the way to meet the policy, stay open
    await createToken(member).expect(200);
    await createToken(owner).expect(200);
  });

  it('asks the same of the Owner: a session that has become too old transfers and deletes nothing', async () => {
    const plain = await t.actors.owner();
    const successor = await t.actors.member(plain);
    await t.database.query(
      `INSERT INTO sign_in_policies (tenant_id, max_session_hours, updated_at) VALUES ($1, 1, now())`,
      [plain.tenantId],
    );
    t.clock.advance(HOUR - 5 * MINUTE);
    const later = await t.actors.refreshed(plain);
    await t.actors.stepUp(later);
    t.clock.advance(6 * MINUTE);
    const transfer = () =>
      t.api.post('/tenants/current/ownership').set(later.bearer).send({ userId: successor.user.id });
    expect(codeOf(await transfer().expect(403))).toBe('SESSION_TOO_OLD');
    expect(codeOf(await t.api.delete('/tenants/current').set(later.bearer).expect(403))).toBe('SESSION_TOO_OLD');
    const acting = await t.actors.impersonating(await t.actors.admin(), successor);
    await t.api.get('/tenants/current/members').set(acting.bearer).expect(200);
    await t.database.query('DELETE FROM sign_in_policies WHERE tenant_id = $1', [plain.tenantId]);
    await transfer().expect(200);
  });
});

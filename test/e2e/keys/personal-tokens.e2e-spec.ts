import { MAX_TOKENS_PER_MEMBER } from '../../../src/keys/domain/key-limits';
import { addSeconds, DAY, HOUR, MINUTE } from '../../../src/platform/clock';
import { newPersonalToken, newServiceKey } from '../../support/api-keys';
import { bearer, type Bearer, type Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { eventually } from '../../support/eventually';
import { untilNoJobIsLeft } from '../../support/job-queue';

const TOKENS = '/users/me/tokens';
const PROJECTS = '/tenants/current/projects';
const READ = ['tenant.projects.read'] as const;

describe('a personal token', () => {
  let t: TestApp;
  let owner: Member;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  beforeEach(async () => {
    owner = await t.actors.owner();
  });
  afterAll(() => t.close());

  const read = (by: Bearer) => t.api.get(PROJECTS).set(by.bearer);
  const inDays = (days: number) => addSeconds(t.clock.now(), days * DAY);
  const create = (by: Bearer, changes: object = {}) =>
    t.api
      .post(TOKENS)
      .set(by.bearer)
      .send({ name: 'Laptop', permissions: READ, expiresAt: inDays(30), ...changes });
  const list = async (by: Bearer) => (await t.api.get(TOKENS).set(by.bearer).expect(200)).body.data.items as object[];
  /** Asserts that it is refused within a second. */
  const isRefused = async (by: Bearer, code: string) => {
    await eventually(async () => ((await read(by)).status === 401 ? true : undefined), 'the refusal', 1000);
    expect(codeOf(await read(by).expect(401))).toBe(code);
  };

  it('can be used only from the networks that it was created with', async () => {
    const { data: here } = (await create(owner, { allowedNetworks: ['127.0.0.0/8', '::1'] }).expect(200)).body;
    expect(here.allowedNetworks).toEqual(['127.0.0.0/8', '::1']);
    await read({ bearer: bearer(here.key) }).expect(200);
    const { data: elsewhere } = (await create(owner, { allowedNetworks: ['203.0.113.0/24'] }).expect(200)).body;
    expect(codeOf(await read({ bearer: bearer(elsewhere.key) }).expect(403))).toBe('ADDRESS_NOT_ALLOWED');
    expect(codeOf(await create(owner, { allowedNetworks: ['anywhere'] }).expect(400))).toBe('VALIDATION_ERROR');
  });

  it('is shown once, listed and deleted', async () => {
    const member = await t.actors.member(owner);
    const { key, ...shown } = (await create(member).expect(200)).body.data;
    expect(key).toMatch(/^tnp_/);
    expect(shown).toMatchObject({
      tenantId: owner.tenantId,
      userId: member.user.id,
      serviceAccountId: null,
      name: 'Laptop',
      hint: key.slice(-4),
      permissions: READ,
    });
    expect(await list(member)).toEqual([shown]);
    expect(await list(owner)).toEqual([]);
    const token = { bearer: bearer(key) };
    await read(token).expect(200);
    const remove = (by: Bearer) => t.api.delete(`${TOKENS}/${shown.id}`).set(by.bearer);
    await remove(owner).expect(404);
    await remove(member).expect(200);
    await remove(member).expect(404);
    await isRefused(token, 'UNAUTHENTICATED');
  });

  it('acts as its person, and the audit log says that it was the token', async () => {
    const token = await newPersonalToken(t, owner, ['tenant.projects.manage']);
    const { id } = (await t.api.post(PROJECTS).set(token.bearer).send({ name: 'Loom' }).expect(200)).body.data;
    const [entry] = await t.database.query('SELECT * FROM audit_log WHERE target_id = $1', [id]);
    expect(entry).toMatchObject({
      action: 'project.created',
      actor_id: owner.user.id,
      principal_kind: 'token',
      principal_id: token.id,
    });
  });

  it('lives no longer than its tenant allows, on every instance within a second', async () => {
    const second = await TestApp.start({ beside: t, env: { WORKER: 'off' } });
    const readThere = (by: Bearer) => second.api.get(PROJECTS).set(by.bearer);
    const allow = (maxTokenDays: number | null) =>
      t.api.put('/tenants/current/sign-in-policy').set(owner.bearer).send({ maxTokenDays }).expect(200);
    const elsewhere = await newPersonalToken(t, await t.actors.owner(), [...READ]);
    const key = await newServiceKey(t, owner, [...READ]);
    const token = await newPersonalToken(t, owner, [...READ]);
    for (const by of [token, key, elsewhere]) await readThere(by).expect(200);
    await allow(0);
    const refused = async () => ((await readThere(token)).status === 401 ? true : undefined);
    await eventually(refused, 'the refusal', 1000);
    await isRefused(token, 'API_KEY_EXPIRED');
    for (const by of [owner, key, elsewhere]) await readThere(by).expect(200);
    expect(codeOf(await create(owner).expect(403))).toBe('PERSONAL_TOKENS_NOT_ALLOWED');
    await allow(7);
    const served = async () => ((await readThere(token)).status === 200 ? true : undefined);
    await eventually(served, 'the service', 1000);
    expect(codeOf(await create(owner, { expiresAt: inDays(8) }).expect(400))).toBe('VALIDATION_ERROR');
    await create(owner, { expiresAt: inDays(7) }).expect(200);
    await second.close();
  });

  it('may do no more than its person may do now', async () => {
    const member = await t.actors.member(owner, ['tenant.projects.read', 'tenant.members.read']);
    expect(codeOf(await create(member, { permissions: ['tenant.projects.manage'] }).expect(403))).toBe(
      'PERMISSION_NOT_HELD',
    );
    const token = await newPersonalToken(t, member, ['tenant.projects.read', 'tenant.members.read']);
    await read(token).expect(200);
    const roleId = await t.actors.role(owner, ['tenant.members.read']);
    await t.api.patch(`/tenants/current/members/${member.user.id}`).set(owner.bearer).send({ roleId }).expect(200);
    t.clock.advance(MINUTE + 1);
    expect(codeOf(await read(token).expect(403))).toBe('FORBIDDEN');
    await t.api.get('/tenants/current/members').set(token.bearer).expect(200);
  });

  it('ends with the membership', async () => {
    const member = await t.actors.member(owner);
    const token = await newPersonalToken(t, member, [...READ]);
    await read(token).expect(200);
    await t.api.delete(`/tenants/current/members/${member.user.id}`).set(owner.bearer).expect(200);
    await isRefused(token, 'UNAUTHENTICATED');
  });

  it('is refused while the account is disabled', async () => {
    const member = await t.actors.member(owner);
    const token = await newPersonalToken(t, member, [...READ]);
    await read(token).expect(200);
    const admin = await t.actors.admin();
    const set = (what: 'disable' | 'enable') =>
      t.api.post(`/admin/users/${member.user.id}/${what}`).set(admin.bearer).send({}).expect(200);
    await set('disable');
    await isRefused(token, 'API_KEY_REVOKED');
    await set('enable');
    t.clock.advance(MINUTE + 1); // it may be remembered
    await read(token).expect(200);
  });

  it('is reported by an email, and revoked by "this was not me"', async () => {
    const member = await t.actors.member(owner);
    const token = await newPersonalToken(t, member, [...READ]);
    await read(token).expect(200);
    const { text } = await t.mailbox.titled(member.user.email, 'A personal token was created for your account');
    const [, securing] = /secure-account#token=([\w-]+)/.exec(text)!;
    await t.api.post('/auth/secure-account').send({ token: securing }).expect(200);
    await untilNoJobIsLeft(t);
    await isRefused(token, 'API_KEY_REVOKED');
  });

  it('is seen and revoked by who manages the keys of the tenant, who cannot rotate it', async () => {
    const member = await t.actors.member(owner);
    const token = await newPersonalToken(t, member, [...READ]);
    const { items } = (await t.api.get('/tenants/current/keys').set(owner.bearer).expect(200)).body.data;
    expect(items).toMatchObject([{ id: token.id, userId: member.user.id }]);
    await t.api
      .post(`/tenants/current/keys/${token.id}/rotate`)
      .set(owner.bearer)
      .send({ overlapHours: 1 })
      .expect(404);
    await read(token).expect(200);
    await t.api.delete(`/tenants/current/keys/${token.id}`).set(owner.bearer).expect(200);
    await isRefused(token, 'API_KEY_REVOKED');
  });

  it('lives for at most a year', async () => {
    await create(owner, { expiresAt: inDays(365) }).expect(200);
    for (const expiresAt of [inDays(367), inDays(-1), undefined, 'soon']) {
      const refused = await create(owner, { expiresAt }).expect(400);
      expect(refused.body.error.details).toHaveProperty('expiresAt');
    }
    const { key } = (await create(owner, { expiresAt: addSeconds(t.clock.now(), HOUR) }).expect(200)).body.data;
    t.clock.advance(HOUR + 1);
    expect(codeOf(await read({ bearer: bearer(key) }).expect(401))).toBe('API_KEY_EXPIRED');
  });

  it('needs a fresh proof of the identity, and cannot be created by a token', async () => {
    const token = await newPersonalToken(t, owner, [...READ]);
    expect(codeOf(await create(token).expect(403))).toBe('API_KEY_NOT_ALLOWED');
    expect(codeOf(await t.api.get(TOKENS).set(token.bearer).expect(403))).toBe('API_KEY_NOT_ALLOWED');
    t.clock.advance(10 * MINUTE + 1);
    const later = await t.actors.refreshed(owner);
    expect(codeOf(await create(later).expect(403))).toBe('STEP_UP_REQUIRED');
  });

  it('is one of a limited number, also if several are created at the same time', async () => {
    for (let count = 2; count < MAX_TOKENS_PER_MEMBER; count++) await create(owner).expect(200);
    const answers = await Promise.all([create(owner), create(owner), create(owner), create(owner)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    const member = await t.actors.member(owner);
    await create(member).expect(200);
  });

  it('is in the export of personal data, without the token itself', async () => {
    const member = await t.actors.member(owner);
    const token = await newPersonalToken(t, member, [...READ]);
    const { text } = await t.api.get('/users/me/export').set(member.bearer).expect(200);
    const { lists } = JSON.parse(text) as { lists: { personalTokens: object[] } };
    expect(lists.personalTokens).toMatchObject([{ id: token.id }]);
    expect(text).not.toContain(token.key);
    expect(text).not.toContain('tokenHash');
  });
});

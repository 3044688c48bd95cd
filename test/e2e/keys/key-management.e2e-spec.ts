import { CommandBus } from '@nestjs/cqrs';
import { PLAN_LIMITS } from '../../../src/billing/entitlements/domain/plan-limits';
import { PurgeKeys } from '../../../src/keys/commands/purge-keys';
import { MAX_SERVICE_ACCOUNTS_PER_TENANT } from '../../../src/keys/domain/key-limits';
import { DAY, HOUR, MINUTE } from '../../../src/platform/clock';
import { newPersonalToken, newServiceAccount, newServiceKey } from '../../support/api-keys';
import { bearer, type Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { eventually } from '../../support/eventually';

const ACCOUNTS = '/tenants/current/service-accounts';
const KEYS = '/tenants/current/keys';
const READ = ['tenant.projects.read'] as const;

interface Shown {
  readonly id: string;
  readonly [field: string]: unknown;
}

describe('service accounts and their keys', () => {
  let t: TestApp;
  let owner: Member;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  beforeEach(async () => {
    owner = await t.actors.owner({ plan: 'Pro' });
  });
  afterAll(() => t.close());

  const list = async (path: string): Promise<Shown[]> =>
    (await t.api.get(`${path}?limit=100`).set(owner.bearer).expect(200)).body.data.items as Shown[];
  const keyOf = async (id: string) => (await list(KEYS)).find((key) => key.id === id)!;
  const createKey = (accountId: string, body: object, by = owner) =>
    t.api.post(`${ACCOUNTS}/${accountId}/keys`).set(by.bearer).send(body);
  const rotate = (id: string, overlapHours: number, by = owner) =>
    t.api.post(`${KEYS}/${id}/rotate`).set(by.bearer).send({ overlapHours });
  const projects = (key: string) => t.api.get('/tenants/current/projects').set(bearer(key));

  it('are created, listed, renamed, disabled, enabled and deleted', async () => {
    const id = await newServiceAccount(t, owner, ' Import ');
    const shown = {
      id,
      name: 'Import',
      createdBy: owner.user.id,
      createdAt: expect.stringMatching(/Z$/),
      disabledAt: null,
    };
    expect(await list(ACCOUNTS)).toEqual([shown]);
    const change = async (body: object) =>
      (await t.api.patch(`${ACCOUNTS}/${id}`).set(owner.bearer).send(body).expect(200)).body.data;
    expect(await change({ name: 'Export' })).toEqual({ ...shown, name: 'Export' });
    const { disabledAt } = await change({ disabled: true });
    expect(disabledAt).toMatch(/Z$/);
    expect(await change({ disabled: true })).toMatchObject({ disabledAt });
    expect(await change({ disabled: false })).toMatchObject({ disabledAt: null });
    await t.api.delete(`${ACCOUNTS}/${id}`).set(owner.bearer).expect(200);
    await t.api.delete(`${ACCOUNTS}/${id}`).set(owner.bearer).expect(404);
    expect(await list(ACCOUNTS)).toEqual([]);
  });

  it('need the permission tenant.keys.manage, which the Owner and Admins have', async () => {
    const id = await newServiceAccount(t, owner);
    const member = await t.actors.member(owner);
    for (const path of [ACCOUNTS, KEYS]) {
      expect(codeOf(await t.api.get(path).set(member.bearer).expect(403))).toBe('FORBIDDEN');
      await t.api.get(path).expect(401);
    }
    await createKey(id, { name: 'Mine', permissions: READ }, member).expect(403);
    const admin = await t.actors.member(owner, 'Admin');
    await createKey(id, { name: 'Mine', permissions: READ }, admin).expect(200);
  });

  it('are listed all, by kind of owner, and by service account', async () => {
    const [first, second] = [await newServiceKey(t, owner, [...READ]), await newServiceKey(t, owner, [...READ])];
    const token = await newPersonalToken(t, owner, [...READ]);
    const idsOf = async (query: string) => {
      const { body: answer } = await t.api.get(`${KEYS}${query}`).set(owner.bearer).expect(200);
      return (answer.data.items as Shown[]).map(({ id }) => id);
    };
    expect(await idsOf('')).toEqual([token.id, second.id, first.id]);
    expect(await idsOf('?owner=member')).toEqual([token.id]);
    expect(await idsOf('?owner=service-account')).toEqual([second.id, first.id]);
    expect(await idsOf(`?serviceAccountId=${first.serviceAccountId}`)).toEqual([first.id]);
    await t.api.get(`${KEYS}?owner=nobody`).set(owner.bearer).expect(400);
  });

  it('show a key once, and store only its hash', async () => {
    const { id, key, serviceAccountId } = await newServiceKey(t, owner, [...READ], { perMinute: 60 });
    expect(await keyOf(id)).toEqual({
      id,
      tenantId: owner.tenantId,
      serviceAccountId,
      userId: null,
      name: 'Production',
      hint: key.slice(-4),
      permissions: READ,
      allowedNetworks: [],
      perMinute: 60,
      expiresAt: null,
      lastUsedAt: null,
      usedNetworks: [],
      rotatedTo: null,
      revokedAt: null,
      createdBy: owner.user.id,
      createdAt: expect.stringMatching(/Z$/),
    });
    const [stored] = await t.database.query<{ row: string }>(
      'SELECT to_jsonb(k)::text AS row FROM api_keys k WHERE id = $1',
      [id],
    );
    expect(stored.row).not.toContain(key);
    const audited = await t.database.query<{ data: string }>('SELECT data::text FROM audit_log WHERE target_id = $1', [
      id,
    ]);
    expect(audited.map(({ data }) => data).join()).not.toContain(key);
  });

  it('need a fresh proof of the identity for a new key, and none to revoke it', async () => {
    const { id, serviceAccountId } = await newServiceKey(t, owner, [...READ]);
    t.clock.advance(10 * MINUTE + 1);
    owner = await t.actors.refreshed(owner);
    const body = { name: 'Later', permissions: READ };
    expect(codeOf(await createKey(serviceAccountId, body).expect(403))).toBe('STEP_UP_REQUIRED');
    expect(codeOf(await rotate(id, 1).expect(403))).toBe('STEP_UP_REQUIRED');
    await t.api.delete(`${KEYS}/${id}`).set(owner.bearer).expect(200);
    await t.actors.stepUp(owner);
    await createKey(serviceAccountId, body).expect(200);
  });

  it('are refused while impersonating', async () => {
    const id = await newServiceAccount(t, owner);
    const acting = await t.actors.impersonating(await t.actors.admin(), owner);
    const refused = await createKey(id, { name: 'Mine', permissions: READ }, acting).expect(403);
    expect(codeOf(refused)).toBe('NOT_WHILE_IMPERSONATING');
  });

  it('give a key no permission that its creator does not have', async () => {
    const id = await newServiceAccount(t, owner);
    const creator = await t.actors.member(owner, ['tenant.keys.manage', 'tenant.projects.read']);
    const create = (permissions: string[]) => createKey(id, { name: 'Mine', permissions }, creator);
    await create(['tenant.projects.read']).expect(200);
    expect(codeOf(await create(['tenant.projects.manage']).expect(403))).toBe('PERMISSION_NOT_HELD');
    const strong = await newServiceKey(t, owner, ['tenant.projects.manage']);
    expect(codeOf(await rotate(strong.id, 1, creator).expect(403))).toBe('PERMISSION_NOT_HELD');
  });

  it('validate the terms of a key', async () => {
    const id = await newServiceAccount(t, owner);
    const body = { name: 'Key', permissions: READ };
    for (const [changes, field] of [
      [{ name: '' }, 'name'],
      [{ permissions: [] }, 'permissions'],
      [{ permissions: ['tenant.everything'] }, 'permissions.0'],
      [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
      [{ expiresAt: 'tomorrow' }, 'expiresAt'],
      [{ allowedNetworks: ['10.0.0.0/33'] }, 'allowedNetworks.0'],
      [{ allowedNetworks: Array.from({ length: 21 }, () => '10.0.0.0/8') }, 'allowedNetworks'],
      [{ perMinute: 0 }, 'perMinute'],
    ] as const) {
      const response = await createKey(id, { ...body, ...changes }).expect(400);
      expect(response.body.error.details).toHaveProperty([field]);
    }
    const { id: keyId } = await newServiceKey(t, owner, [...READ]);
    for (const hours of [-1, 169, 1.5]) await rotate(keyId, hours).expect(400);
  });

  it('rotate a key: both can be used during the overlap with one limit, and afterwards the new one', async () => {
    const old = await newServiceKey(t, owner, [...READ], { allowedNetworks: ['127.0.0.0/8', '::1'], perMinute: 100 });
    const { data: next } = (await rotate(old.id, 2).expect(200)).body;
    expect(next).toMatchObject({ name: 'Production', permissions: READ, perMinute: 100, expiresAt: null });
    expect(await keyOf(old.id)).toMatchObject({ rotatedTo: next.id, expiresAt: expect.any(String) });
    const { data: third } = (await rotate(next.id, 2).expect(200)).body;
    const left = async (key: string) => (await projects(key).expect(200)).headers['ratelimit-remaining'];
    expect([await left(old.key), await left(next.key), await left(third.key)]).toEqual(['99', '98', '97']);
    expect(codeOf(await rotate(old.id, 2).expect(409))).toBe('CONFLICT');
    t.clock.advance(2 * HOUR + 1);
    expect(codeOf(await projects(old.key).expect(401))).toBe('API_KEY_EXPIRED');
    await projects(third.key).expect(200);
  });

  it('rotate a key without overlap: the old one is refused within a second', async () => {
    const old = await newServiceKey(t, owner, [...READ]);
    await projects(old.key).expect(200);
    const { data: next } = (await rotate(old.id, 0).expect(200)).body;
    const refused = async () => ((await projects(old.key)).status === 401 ? true : undefined);
    await eventually(refused, 'the refusal', 1000);
    expect(codeOf(await projects(old.key).expect(401))).toBe('API_KEY_EXPIRED');
    await projects(next.key).expect(200);
  });

  it('rotate a key once, however many ask at the same time', async () => {
    const { id } = await newServiceKey(t, owner, [...READ]);
    const answers = await Promise.all([1, 2, 3, 4].map(() => rotate(id, 24)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(await list(KEYS)).toHaveLength(2);
  });

  it('keep a revoked key revoked, and audit it once', async () => {
    const { id, key } = await newServiceKey(t, owner, [...READ]);
    const revoke = () => t.api.delete(`${KEYS}/${id}`).set(owner.bearer);
    await Promise.all([revoke().expect(200), revoke().expect(200)]);
    const { revokedAt } = await keyOf(id);
    await revoke().expect(200);
    expect((await keyOf(id)).revokedAt).toBe(revokedAt);
    expect(codeOf(await projects(key).expect(401))).toBe('API_KEY_REVOKED');
    const revoked = `SELECT FROM audit_log WHERE action = 'api-key.revoked' AND target_id = $1`;
    expect(await t.database.query(revoked, [id])).toHaveLength(1);
    expect(codeOf(await rotate(id, 1).expect(409))).toBe('CONFLICT');
  });

  it('are limited by the plan, and the accounts in number, also if several are added at the same time', async () => {
    const id = await newServiceAccount(t, owner);
    const insert = `
      INSERT INTO service_accounts (tenant_id, id, name, created_at) VALUES ($1, gen_random_uuid(), 'x', now())`;
    for (let count = 1; count < MAX_SERVICE_ACCOUNTS_PER_TENANT - 2; count++)
      await t.database.query(insert, [owner.tenantId]);
    const create = () => t.api.post(ACCOUNTS).set(owner.bearer).send({ name: 'One more' });
    const added = await Promise.all([create(), create(), create(), create()]);
    expect(added.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    expect(codeOf(await create().expect(409))).toBe('LIMIT_REACHED');

    const keys = `
      INSERT INTO api_keys (tenant_id, id, service_account_id, name, hint, token_hash, permissions, allowed_networks,
                            created_at, revoked_at)
      SELECT $1, gen_random_uuid(), $2, 'x', 'x', decode(md5(random()::text), 'hex'), '{}', '{}', now(), $4::timestamptz
        FROM generate_series(1, $3::int)`;
    await t.database.query(keys, [owner.tenantId, id, PLAN_LIMITS.Pro.keys - 1, null]);
    await t.database.query(keys, [owner.tenantId, id, 5, new Date()]); // revoked ones do not count
    const body = { name: 'One more', permissions: READ };
    const answers = await Promise.all([createKey(id, body), createKey(id, body)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 402]);
    const { body: made } = answers.find(({ status }) => status === 200)!;
    expect(answers.find(({ status }) => status === 402)!.body.error).toMatchObject({
      code: 'PLAN_REQUIRED',
      details: { entitlement: ['keys'], limit: ['50'], used: ['50'], requiredPlan: ['Business'] },
    });
    const { id: madeId, key } = (made as { data: { id: string; key: string } }).data;
    await t.database.query(keys, [owner.tenantId, id, 3, null]); // left by a downgrade
    await projects(key).expect(200);
    await rotate(madeId, 1).expect(200); // a rotation adds none
    expect(codeOf(await createKey(id, body).expect(402))).toBe('PLAN_REQUIRED');
  });

  it('of another tenant do not exist', async () => {
    const other = await t.actors.owner();
    const key = await newServiceKey(t, other, [...READ]);
    await t.api.patch(`${ACCOUNTS}/${key.serviceAccountId}`).set(owner.bearer).send({ name: 'Mine' }).expect(404);
    await t.api.delete(`${ACCOUNTS}/${key.serviceAccountId}`).set(owner.bearer).expect(404);
    await createKey(key.serviceAccountId, { name: 'Mine', permissions: READ }).expect(404);
    await rotate(key.id, 1).expect(404);
    await t.api.delete(`${KEYS}/${key.id}`).set(owner.bearer).expect(404);
    expect([...(await list(KEYS)), ...(await list(ACCOUNTS))]).toEqual([]);
    await projects(key.key).expect(200);
  });

  it('are forgotten 30 days after they expired or were revoked', async () => {
    const [used, revoked, expired] = [
      await newServiceKey(t, owner, [...READ]),
      await newServiceKey(t, owner, [...READ]),
      await newServiceKey(t, owner, [...READ], { expiresAt: new Date(t.clock.now().getTime() + HOUR * 1000) }),
    ];
    await t.api.delete(`${KEYS}/${revoked.id}`).set(owner.bearer).expect(200);
    const purge = () => t.nest.get(CommandBus).execute(new PurgeKeys());
    const ids = async () => (await list(KEYS)).map(({ id }) => id);
    t.clock.advance(29 * DAY);
    owner = { ...owner, ...(await t.actors.signIn(owner.user.email)) };
    await purge();
    expect(await ids()).toEqual([expired.id, revoked.id, used.id]);
    t.clock.advance(2 * DAY);
    owner = { ...owner, ...(await t.actors.signIn(owner.user.email)) };
    await purge();
    expect(await ids()).toEqual([used.id]);
    expect(codeOf(await projects(revoked.key).expect(401))).toBe('UNAUTHENTICATED');
  });
});

import { addSeconds, DAY, HOUR, MINUTE } from '../../../src/platform/clock';
import type { Permission } from '../../../src/platform/permissions';
import { isKeyToken, newKeyToken } from '../../../src/keys/domain/key-token';
import { ApiKeyRepository } from '../../../src/keys/data/api-key.repository';
import { UnitOfWork } from '../../../src/platform/database/unit-of-work';
import { DomainEvents } from '../../../src/platform/domain-events';
import { ok } from '../../../src/platform/result';
import { KeyUsage } from '../../../src/keys/services/key-usage';
import { newServiceKey, type ServiceKey } from '../../support/api-keys';
import { bearer, type Bearer, type Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { eventually } from '../../support/eventually';

const PROJECTS = '/tenants/current/projects';

describe('a key of a service account', () => {
  let t: TestApp;
  let owner: Member;
  beforeAll(async () => {
    t = await TestApp.start({ env: { TRUST_PROXY: 'true', LOG_LEVEL: 'info' } });
    owner = await t.actors.owner({ plan: 'Business' });
  });
  afterAll(() => t.close());

  const get = (by: Bearer, path = PROJECTS) => t.api.get(path).set(by.bearer);

  const refusalsOf = ({ id }: ServiceKey) =>
    t.database.query<{ data: object }>(
      `SELECT tenant_id AS "tenantId", principal_id AS "principalId", data FROM audit_log
        WHERE action = 'api-key.address-refused' AND target_id = $1 ORDER BY id`,
      [id],
    );

  it('calls what its permissions allow, in its tenant', async () => {
    const key = await newServiceKey(t, owner, ['tenant.projects.read', 'tenant.projects.manage']);
    const created = await t.api.post(PROJECTS).set(key.bearer).send({ name: 'Loom' }).expect(200);
    const { id } = created.body.data;
    expect((await get(key).expect(200)).body.data.items).toMatchObject([{ id, name: 'Loom' }]);
    await t.api.patch(`${PROJECTS}/${id}`).set(key.bearer).send({ archived: true }).expect(200);
    await t.api.delete(`${PROJECTS}/${id}`).set(key.bearer).expect(200);
    expect(codeOf(await get(key, '/tenants/current/members').expect(403))).toBe('FORBIDDEN');
  });

  it('reads members, roles, settings, invitations and the audit log', async () => {
    const key = await newServiceKey(t, owner, [
      'tenant.settings.read',
      'tenant.members.read',
      'tenant.members.invite',
      'tenant.roles.read',
      'tenant.roles.manage',
      'tenant.billing.read',
      'tenant.audit.read',
    ]);
    for (const path of ['', '/members', '/roles', '/permissions', '/invitations', '/audit-log', '/sign-in-policy'])
      await get(key, `/tenants/current${path}`).expect(200);
    await get(key, '/billing/subscription').expect(200);
    await get(key, '/tenants/current/audit-log/export').expect(200);
  });

  it('grants no permission that it does not have', async () => {
    const key = await newServiceKey(t, owner, ['tenant.roles.manage', 'tenant.projects.read', 'tenant.members.manage']);
    const role = (permissions: string[]) =>
      t.api
        .post('/tenants/current/roles')
        .set(key.bearer)
        .send({ name: `By a key ${permissions.length}`, permissions });
    const { id: roleId } = (await role(['tenant.projects.read']).expect(200)).body.data;
    expect(codeOf(await role(['tenant.projects.read', 'tenant.audit.read']).expect(403))).toBe('PERMISSION_NOT_HELD');
    const member = await t.actors.member(owner, ['tenant.projects.read']);
    const change = (userId: string, to: string) =>
      t.api.patch(`/tenants/current/members/${userId}`).set(key.bearer).send({ roleId: to });
    await change(member.user.id, roleId).expect(200);
    const admin = await t.actors.roleId(owner, 'Admin');
    expect(codeOf(await change(member.user.id, admin).expect(403))).toBe('PERMISSION_NOT_HELD');
  });

  it('grants nothing that its creator lost, but stays in use, and grants again after it was replaced', async () => {
    const admin = await t.actors.member(owner, 'Admin');
    const permissions = (await t.api.get('/auth/me').set(admin.bearer).expect(200)).body.data
      .permissions as Permission[];
    const key = await newServiceKey(t, admin, permissions);
    const roles = { admin: await t.actors.roleId(owner, 'Admin'), member: await t.actors.roleId(owner, 'Member') };
    const colleague = await t.actors.member(owner);
    const change = (userId: string, roleId: string, by: Bearer = key) =>
      t.api.patch(`/tenants/current/members/${userId}`).set(by.bearer).send({ roleId });
    await change(colleague.user.id, roles.admin).expect(200);
    await change(admin.user.id, roles.member, owner).expect(200);
    const role = { name: 'A way back', permissions: ['tenant.keys.manage'] };
    for (const refused of [
      change(admin.user.id, roles.admin),
      change(colleague.user.id, roles.member),
      t.api.post('/tenants/current/roles').set(key.bearer).send(role),
    ])
      expect(codeOf(await refused.expect(403))).toBe('PERMISSION_NOT_HELD');
    await get(key, '/tenants/current/members').expect(200);
    await t.api.post(PROJECTS).set(key.bearer).send({ name: 'Still' }).expect(200);
    const { body } = await t.api
      .post(`/tenants/current/keys/${key.id}/rotate`)
      .set(owner.bearer)
      .send({ overlapHours: 0 })
      .expect(200);
    await change(admin.user.id, roles.admin, { bearer: bearer(body.data.key as string) }).expect(200);
  });

  it('is refused on routes for people', async () => {
    const key = await newServiceKey(t, owner, [
      'tenant.keys.manage',
      'tenant.security.manage',
      'tenant.billing.manage',
      'tenant.members.invite',
    ]);
    for (const [method, path] of [
      ['get', '/auth/me'],
      ['get', '/auth/sessions'],
      ['get', '/notifications'],
      ['get', '/tenants'],
      ['get', '/admin/users'],
      ['delete', '/tenants/current'],
      ['post', '/tenants/current/ownership'],
      ['put', '/tenants/current/sign-in-policy'],
      ['post', '/tenants/current/invitations'],
      ['post', '/billing/checkout'],
      ['post', `/tenants/current/service-accounts/${key.serviceAccountId}/keys`],
      ['post', `/tenants/current/keys/${key.id}/rotate`],
    ] as const) {
      const response = await t.api[method](path).set(key.bearer);
      expect([path, response.status, codeOf(response)]).toEqual([path, 403, 'API_KEY_NOT_ALLOWED']);
    }
    await get(key, '/tenants/current/keys').expect(200);
  });

  it('is ignored on public routes', async () => {
    const unknown = bearer(newKeyToken('tn', 'service'));
    await t.api.get('/health/live').set(unknown).expect(200);
  });

  it('that is unknown, malformed or of another prefix is refused', async () => {
    const { key } = await newServiceKey(t, owner, ['tenant.projects.read']);
    expect(isKeyToken(key, 'tn')).toBe(true);
    for (const wrong of [
      newKeyToken('tn', 'service'),
      newKeyToken('tn', 'token'),
      newKeyToken('acme', 'service'),
      `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`,
      key.toLowerCase(),
      'tnk_',
      'garbage',
    ])
      expect(codeOf(await get({ bearer: bearer(wrong) }).expect(401))).toBe('UNAUTHENTICATED');
  });

  it('is refused when it has expired', async () => {
    const expiresAt = new Date(t.clock.now().getTime() + HOUR * 1000);
    const key = await newServiceKey(t, owner, ['tenant.projects.read'], { expiresAt });
    await get(key).expect(200);
    t.clock.advance(HOUR + 1);
    expect(codeOf(await get(key).expect(401))).toBe('API_KEY_EXPIRED');
    owner = await t.actors.refreshed(owner);
    await t.actors.stepUp(owner);
  });

  it('is refused from other networks than those allowed', async () => {
    const terms = { allowedNetworks: ['203.0.113.0/24', '2001:db8::/32'] };
    const key = await newServiceKey(t, owner, ['tenant.projects.read'], terms);
    const from = (ip: string) => get(key).set('X-Forwarded-For', ip);
    await from('203.0.113.9').expect(200);
    await from('2001:db8::9').expect(200);
    await from('::ffff:203.0.113.9').expect(200);
    for (const ip of ['203.0.114.9', '2001:db9::9', '127.0.0.1'])
      expect(codeOf(await from(ip).expect(403))).toBe('ADDRESS_NOT_ALLOWED');
    await from('203.0.113.9').expect(200);
    const networks = ['203.0.114.0/24', '2001:db9::/64', '127.0.0.0/24'];
    const entryOf = (count: number, of: string[]) => ({
      tenantId: owner.tenantId,
      principalId: key.serviceAccountId,
      data: { count, networks: of, since: expect.any(String) as string },
    });
    const [first, others] = [entryOf(1, networks.slice(0, 1)), entryOf(2, networks.slice(1))];
    expect(await refusalsOf(key)).toEqual([first]); // at once: a killed process does not lose it
    await t.nest.get(KeyUsage).flush();
    expect(await refusalsOf(key)).toEqual([first]);
    for (const later of [0, MINUTE]) {
      await t.nest.get(KeyUsage).flush(addSeconds(t.clock.now(), later));
      expect(await refusalsOf(key)).toEqual([first, others]);
    }
    await from('203.0.114.9').expect(403);
    expect(await refusalsOf(key)).toEqual([first, others, first]);
  });

  it('has its refusals recorded when an instance stops, also if one could not be recorded before', async () => {
    const key = await newServiceKey(t, owner, ['tenant.projects.read'], { allowedNetworks: ['203.0.113.0/24'] });
    const second = await TestApp.start({ beside: t, env: { TRUST_PROXY: 'true', WORKER: 'off', LOG_LEVEL: 'fatal' } });
    const publish = jest
      .spyOn(second.nest.get(DomainEvents), 'publish')
      .mockRejectedValueOnce(new Error('no database'));
    for (let time = 0; time < 3; time++) await second.api.get(PROJECTS).set(key.bearer).expect(403);
    expect([publish.mock.calls.length, await refusalsOf(key)]).toEqual([1, []]);
    await second.close();
    expect(await refusalsOf(key)).toMatchObject([{ data: { count: 3, networks: ['127.0.0.0/24'] } }]);
  });

  it('has a limit of its own, also if people have none', async () => {
    const terms = { perMinute: 2 };
    const [key, other] = [
      await newServiceKey(t, owner, ['tenant.projects.read'], terms),
      await newServiceKey(t, owner, ['tenant.projects.read'], terms),
    ];
    expect((await get(key).expect(200)).headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1' });
    await get(key).expect(200);
    const refused = await get(key).expect(429);
    expect(codeOf(refused)).toBe('RATE_LIMITED');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await get(other).expect(200);
  });

  it('shows when it was used last, up to a minute late', async () => {
    const key = await newServiceKey(t, owner, ['tenant.projects.read']);
    const lastUse = async () => {
      const { items } = (await get(owner, '/tenants/current/keys?limit=100').expect(200)).body.data;
      return (items as { id: string; lastUsedAt: string | null }[]).find(({ id }) => id === key.id)!.lastUsedAt;
    };
    expect(await lastUse()).toBeNull();
    await get(key).expect(200);
    const first = await lastUse();
    expect(first).toMatch(/Z$/);
    t.clock.advance(2 * MINUTE);
    await get(key).expect(200);
    expect(await lastUse()).toBe(first);
    await t.nest.get(KeyUsage, { strict: false }).flush();
    expect(new Date((await lastUse())!).getTime()).toBeGreaterThan(new Date(first!).getTime() + MINUTE * 1000);
  });

  it('is stored as used in one order, so that instances that store the same keys do not deadlock', async () => {
    const keys = [1, 2, 3].map(() => newServiceKey(t, owner, ['tenant.projects.read']));
    const ids = (await Promise.all(keys)).map(({ id }) => id).sort();
    const { tenantId } = owner;
    const at = t.clock.now();
    let attempts = 0;
    const save = (order: readonly string[]) =>
      t.nest.get(UnitOfWork).acrossTenants(async () => {
        attempts++;
        await t.nest.get(ApiKeyRepository).saveUses(order.map((id) => ({ tenantId, id, at })));
        return ok();
      });
    const lock = 'SELECT FROM api_keys WHERE id = $1 FOR UPDATE';
    await t.database.inTheMidstOf(lock, [ids[1]], () => Promise.all([save(ids), save([...ids].reverse())]), 2);
    expect(attempts).toBe(2); // a deadlock would repeat one
  });

  it('is named by audit entries and request lines', async () => {
    const key = await newServiceKey(t, owner, ['tenant.projects.manage']);
    const { id } = (await t.api.post(PROJECTS).set(key.bearer).send({ name: 'Loom' }).expect(200)).body.data;
    const { items } = (await get(owner, '/tenants/current/audit-log?limit=100').expect(200)).body.data;
    type Entry = Record<'action' | 'targetId', string> & Record<'actorId' | 'principalKind' | 'principalId', string>;
    const entries = (items as Entry[]).filter(({ targetId }) => [id, key.id].includes(targetId));
    const service = { actorId: null, principalKind: 'service', principalId: key.serviceAccountId };
    const person = { actorId: owner.user.id, principalKind: null, principalId: null };
    expect(entries).toMatchObject([
      { action: 'project.created', ...service },
      { action: 'api-key.first-used', ...service },
      { action: 'api-key.created', ...person },
    ]);
    const line = t.logLines.map((text) => JSON.parse(text) as object).findLast((one) => 'keyId' in one);
    expect(line).toMatchObject({
      event: 'request.completed',
      principalKind: 'service',
      principalId: key.serviceAccountId,
      keyId: key.id,
      tenantId: owner.tenantId,
    });
    expect(t.logLines.join('\n')).not.toContain(key.key);
  });

  it('has one first use, however many requests are the first ones', async () => {
    const key = await newServiceKey(t, owner, ['tenant.projects.read']);
    await Promise.all([1, 2, 3, 4].map(() => get(key).expect(200)));
    const used = `SELECT ip FROM audit_log WHERE action = 'api-key.first-used' AND target_id = $1`;
    expect(await t.database.query(used, [key.id])).toEqual([{ ip: expect.stringContaining('127.0.0.1') }]);
  });

  it('is recorded when it is used from a new network, once and of 20 networks at most', async () => {
    const key = await newServiceKey(t, owner, ['tenant.projects.read']);
    const usage = t.nest.get(KeyUsage);
    const useFrom = async (ip: string) => {
      await get(key).set('X-Forwarded-For', ip).expect(200);
      await usage.flush();
    };
    const recorded = async () => {
      const sql = `SELECT data->>'network' AS network FROM audit_log
        WHERE action = 'api-key.used-from-new-network' AND target_id = $1 AND principal_id = $2 ORDER BY id`;
      const rows = await t.database.query<{ network: string }>(sql, [key.id, key.serviceAccountId]);
      return rows.map(({ network }) => network);
    };
    await useFrom('198.51.100.7');
    await useFrom('198.51.100.8');
    expect(await recorded()).toEqual([]);
    await useFrom('2001:db8::1');
    await useFrom('2001:db8::2');
    await useFrom('198.51.100.7');
    expect(await recorded()).toEqual(['2001:db8::/64']);
    for (let network = 0; network < 20; network++) await useFrom(`10.0.${network}.1`);
    expect(await recorded()).toHaveLength(19);
    const { items } = (await get(owner, '/tenants/current/keys?limit=100').expect(200)).body.data;
    const { usedNetworks } = (items as { id: string; usedNetworks: string[] }[]).find(({ id }) => id === key.id)!;
    expect(usedNetworks).toHaveLength(20);
    expect(usedNetworks.slice(0, 3)).toEqual(['198.51.100.0/24', '2001:db8::/64', '10.0.0.0/24']);
  });

  it('is recorded once from a new network, if several instances see it', async () => {
    const key = await newServiceKey(t, owner, ['tenant.projects.read']);
    const second = await TestApp.start({ beside: t, env: { TRUST_PROXY: 'true', WORKER: 'off' } });
    const useAt = (app: TestApp, ip: string) =>
      app.api.get(PROJECTS).set(key.bearer).set('X-Forwarded-For', ip).expect(200);
    await useAt(t, '198.51.100.7');
    await t.nest.get(KeyUsage).flush();
    for (const app of [t, second]) await useAt(app, '203.0.113.7');
    await Promise.all([t, second].map((app) => app.nest.get(KeyUsage).flush()));
    const sql = `SELECT FROM audit_log WHERE action = 'api-key.used-from-new-network' AND target_id = $1`;
    expect(await t.database.query(sql, [key.id])).toHaveLength(1);
    await second.close();
  });

  it('is reported to who created it and to the Owner, once each', async () => {
    const boss = await t.actors.owner({ plan: 'Business', tenantName: 'Analytical Engines' });
    const admin = await t.actors.member(boss, 'Admin');
    await newServiceKey(t, admin, ['tenant.projects.read']);
    const name = 'Analytical Engines';
    const toAdmin = await t.mailbox.titled(admin.user.email, `A key was created in ${name}`);
    expect(toAdmin.text).toContain('/secure-account#token=');
    const toOwner = await t.mailbox.titled(boss.user.email, `A member created a key in ${name}`);
    expect(toOwner.text).not.toContain('/secure-account');
    await newServiceKey(t, boss, ['tenant.projects.read']);
    await t.mailbox.titled(boss.user.email, `A key was created in ${name}`);
  });

  it('outlives the membership of its creator', async () => {
    const admin = await t.actors.member(owner, 'Admin');
    const key = await newServiceKey(t, admin, ['tenant.projects.read']);
    await get(key).expect(200);
    await t.api.delete(`/tenants/current/members/${admin.user.id}`).set(owner.bearer).expect(200);
    await get(key).expect(200);
    t.clock.advance(2 * MINUTE);
    await get(key).expect(200);
  });

  it('is subject to the plan of its tenant', async () => {
    const free = await t.actors.owner();
    const key = await newServiceKey(t, free, ['tenant.projects.manage']);
    const create = () => t.api.post(PROJECTS).set(key.bearer).send({ name: 'Loom' });
    for (let count = 0; count < 3; count++) await create().expect(200);
    expect(codeOf(await create().expect(402))).toBe('PLAN_REQUIRED');
  });

  it('ends with its tenant', async () => {
    const other = await t.actors.owner();
    const key = await newServiceKey(t, other, ['tenant.projects.read']);
    await get(key).expect(200);
    await t.api.delete('/tenants/current').set(other.bearer).expect(200);
    await eventually(async () => ((await get(key)).status === 401 ? true : undefined), 'the refusal', 1000);
    expect(codeOf(await get(key).expect(401))).toBe('UNAUTHENTICATED');
  });

  it('lives as long as it was to live after it was rotated', async () => {
    const expiresAt = new Date(t.clock.now().getTime() + 10 * DAY * 1000);
    const { id } = await newServiceKey(t, owner, ['tenant.projects.read'], { expiresAt });
    const rotated = await t.api
      .post(`/tenants/current/keys/${id}/rotate`)
      .set(owner.bearer)
      .send({ overlapHours: 1 })
      .expect(200);
    const lifetime = (end: string) => (new Date(end).getTime() - t.clock.now().getTime()) / 1000 / DAY;
    expect(lifetime(rotated.body.data.expiresAt)).toBeCloseTo(10, 1);
  });

  it('is not looked up while its address sends many keys that do not exist', async () => {
    const limited = await TestApp.start({ beside: t, env: { TRUST_PROXY: 'true', RATE_LIMIT_PER_MINUTE: '1200' } });
    const key = await newServiceKey(t, owner, ['tenant.projects.read']);
    const from = (ip: string, by: Bearer) => limited.api.get(PROJECTS).set(by.bearer).set('X-Forwarded-For', ip);
    for (let sent = 0; sent < 60; sent++)
      await from('198.51.100.9', { bearer: bearer(newKeyToken('tn', 'service')) }).expect(401);
    const refused = await from('198.51.100.9', key).expect(429);
    expect([codeOf(refused), Number(refused.headers['retry-after'])]).toEqual(['RATE_LIMITED', expect.any(Number)]);
    await from('198.51.100.10', key).expect(200);
    await from('198.51.100.9', key).expect(200); // it is known now
    await limited.close();
  });
});

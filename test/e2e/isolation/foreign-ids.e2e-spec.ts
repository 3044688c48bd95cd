import { TrustedBrowser } from '../../../src/auth/domain/trusted-browser';
import { openApiDocument } from '../../../src/http/openapi/openapi-document';
import { Database } from '../../../src/platform/database/database';
import { newId } from '../../../src/platform/ids';
import { newPersonalToken, newServiceKey } from '../../support/api-keys';
import { claimsOf, type Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';
import { SoftwareAuthenticator } from '../../support/software-authenticator';
import { collectionsOfTenants, operationsWithIds } from '../../support/document-ids';
import { TenantFilterBypass } from '../../support/tenant-filter-bypass';
import { markVerified } from '../../support/verified-endpoint';

/** A tenant's resources by the names of their ids in paths. */
interface Belongings {
  readonly owner: Member;
  readonly member: Member;
  readonly ids: Record<string, string>;
}

/** It ignores a tenant that the user is not a member of. */
const REFRESH = '/api/v1/auth/refresh';

/** Fills in the ids of a path: `{id}` belongs to the collection before it. */
function fill(path: string, ids: Record<string, string>): string {
  return path.replace(/(\w[\w-]*)\/\{(\w+)\}/g, (_all, collection: string, name: string) => {
    if (name === 'provider') return `${collection}/google`; // belongs to the caller, not to a tenant
    if (name === 'key') return `${collection}/${'k'.repeat(22)}`; // of public pictures
    const id = ids[name === 'id' ? collection : name];
    if (!id) throw new Error(`no id of another tenant for {${name}} of ${path}: add one`);
    return `${collection}/${id}`;
  });
}

describe.each([
  ['as it is', false],
  ['with every condition on the tenant taken out of its statements', true],
])('the service %s', (_what, isBypassed) => {
  let bypass: TenantFilterBypass;
  let t: TestApp;
  let own: Belongings;
  let foreign: Belongings;

  const belongings = async (tenantName: string): Promise<Belongings> => {
    const owner = await t.actors.owner({ tenantName, plan: 'Business' }); // with every feature
    const member = await t.actors.member(owner);
    const post = async (path: string, body: object) =>
      (await t.api.post(path).set(owner.bearer).send(body).expect(200)).body.data.id as string;
    const colleague = await t.actors.member(owner, 'Admin'); // their invitation notifies the Owner
    await t.api
      .post('/tenants/current/invitations')
      .set(colleague.bearer)
      .send({ email: `other-of-${tenantName}@example.com` })
      .expect(200);
    const invitations = await post('/tenants/current/invitations', { email: `guest-of-${tenantName}@example.com` });
    const webhooks = await post('/tenants/current/webhooks', { url: 'https://receiver.example/' });
    await markVerified(t, { id: webhooks });
    const webhook = `/tenants/current/webhooks/${webhooks}`;
    await t.api.patch(webhook).set(owner.bearer).send({ enabled: false }).expect(200); // nothing is sent
    await t.api.post(`${webhook}/test`).set(owner.bearer).expect(200);
    const streams = await post('/tenants/current/audit-streams', { url: 'https://receiver.example/' });
    await t.api
      .patch(`/tenants/current/audit-streams/${streams}`)
      .set(owner.bearer)
      .send({ enabled: false })
      .expect(200);
    const sent = await t.api.get(`${webhook}/deliveries`).set(owner.bearer).expect(200);
    const [{ id: notifications }] = (await t.api.get('/notifications').set(owner.bearer).expect(200)).body.data.items;
    const roleId = await t.actors.role(owner, ['tenant.projects.read'], `Role of ${tenantName}`);
    const [{ id: sessions }] = (await t.api.get('/auth/sessions').set(owner.bearer).expect(200)).body.data.items;
    const browser = TrustedBrowser.of(owner.user.id, newId(), { ip: null, userAgent: null }, t.clock.now());
    await t.nest.get(Database).manager.insert(TrustedBrowser, browser);
    const userId = member.user.id;
    const key = await newServiceKey(t, owner, ['tenant.projects.read']);
    const token = await newPersonalToken(t, member, ['tenant.projects.read']);
    const leaver = await t.actors.member(owner, 'Admin');
    await newServiceKey(t, leaver, ['tenant.projects.read']);
    await t.api.delete(`/tenants/current/members/${leaver.user.id}`).set(owner.bearer).expect(200);
    const left = await t.api.get('/tenants/current/orphaned-resources').set(owner.bearer).expect(200);
    const ids: Record<string, string> = {
      'orphaned-resources': left.body.data.items[0].id as string,
      ...{ tenantId: owner.tenantId, userId, invitations, notifications, roleId, roles: roleId, sessions },
      'trusted-browsers': browser.id,
      'service-accounts': key.serviceAccountId,
      keys: key.id,
      tokens: token.id,
      webhooks,
      'audit-streams': streams,
      deliveryId: sent.body.data.items[0].id as string,
      passkeys: (await SoftwareAuthenticator.enrol(t, owner)).id,
    };
    for (const { name, path, bodyWith } of collectionsOfTenants(operations()))
      ids[name] ??= await post(path, bodyWith(ids)!);
    return { owner, member, ids };
  };

  /** Their deliveries, which the worker creates, would change what is compared. */
  const pendingMessages = () => t.database.query('SELECT FROM webhook_messages WHERE is_pending');

  beforeAll(async () => {
    bypass = new TenantFilterBypass();
    t = await TestApp.start();
    [own, foreign] = [await belongings('Own'), await belongings('Foreign')];
    await eventually(async () => (await pendingMessages()).length === 0 || undefined, 'deliveries of all messages');
    if (isBypassed) bypass.start();
  });
  afterAll(async () => {
    await t.close();
    bypass.stop();
    expect(bypass.changed > 20).toBe(isBypassed);
  });

  /** Those for tenants, as the API document describes them. */
  const operations = () =>
    operationsWithIds(openApiDocument(t.nest, t.settings)).filter(({ path }) => !path.includes('/admin/'));

  it("responds with 404 to another tenant's ids on every route that takes one, and changes nothing", async () => {
    const before = await snapshot();
    const routes = operations().filter(({ path }) => path.includes('{'));
    expect(routes.length).toBeGreaterThanOrEqual(10);
    for (const { method, path, bodyWith } of routes) {
      const response = await t.http[method](fill(path, foreign.ids)).set(own.owner.bearer).send(bodyWith(own.ids));
      expect([method, path, response.status, response.body.error?.code]).toEqual([method, path, 404, 'NOT_FOUND']);
    }
    expect(await snapshot()).toEqual(before);
  });

  it("responds with 404 to another tenant's ids in bodies", async () => {
    const before = await snapshot();
    const routes = operations().filter(({ idsInBody, path }) => idsInBody.length > 0 && path !== REFRESH);
    expect(routes.length).toBeGreaterThanOrEqual(4);
    for (const { method, path, bodyWith } of routes) {
      const response = await t.http[method](fill(path, own.ids)).set(own.owner.bearer).send(bodyWith(foreign.ids));
      expect([method, path, response.status, response.body.error?.code]).toEqual([method, path, 404, 'NOT_FOUND']);
    }
    expect(await snapshot()).toEqual(before);
  });

  it('issues no access token for another tenant', async () => {
    const { refreshToken } = own.member;
    const response = await t.http.post(REFRESH).send({ refreshToken, tenantId: foreign.owner.tenantId }).expect(200);
    expect(claimsOf(response.body.data.accessToken).tenant_id).toBe(own.owner.tenantId);
  });

  it('is asked about each id in a body, and a field without an id of another tenant is reported', () => {
    const switching = operations().find(({ path }) => path === '/api/v1/auth/switch-tenant')!;
    expect(switching.bodyWith(foreign.ids)).toEqual({ tenantId: foreign.owner.tenantId });
    expect(() => switching.bodyWith({})).toThrow('no id for the field tenantId of a body: add one to belongings');
  });

  it('lists nothing of another tenant', async () => {
    const lists = operations().filter(
      ({ method, path }) =>
        method === 'get' && /\/(tenants\/current|notifications)/.test(path) && !/\{|stream/.test(path),
    );
    expect(lists.length).toBeGreaterThanOrEqual(8);
    expect(lists.filter(({ returnsIds }) => returnsIds).length).toBeGreaterThanOrEqual(7);
    for (const { path, returnsIds } of lists) {
      const { text } = await t.http.get(path).set(own.owner.bearer).expect(200);
      const ownIds = Object.values(own.ids);
      const isFile = path.endsWith('/export'); // its schema does not say that it has ids
      expect([path, ownIds.some((id) => text.includes(id))]).toEqual([path, returnsIds || isFile]);
      expect([path, text.includes('Foreign'), Object.values(foreign.ids).filter((id) => text.includes(id))]).toEqual([
        path,
        false,
        [],
      ]);
    }
  });

  /** All rows of the other tenant, read as a superuser. A job sets the token of an invitation. */
  const snapshot = async () => {
    const tables = await t.database.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
          AND a.attname = 'tenant_id' ORDER BY 1`,
    );
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['memberships', 'projects', 'roles']));
    const rows = tables.map(
      ({ name }) => `(SELECT json_agg(to_jsonb(r) - 'token_hash' ORDER BY to_jsonb(r)::text)
      FROM ${name} r WHERE tenant_id = $1) AS ${name}`,
    );
    return t.database.query(`SELECT ${rows.join(', ')}`, [foreign.owner.tenantId]);
  };
});

describe('without its policies', () => {
  it("the service without conditions would show and change a foreign tenant's data: the suite can fail", async () => {
    const bypass = new TenantFilterBypass();
    const t = await TestApp.start();
    const [own, foreign] = [await t.actors.owner(), await t.actors.owner()];
    const project = await t.api
      .post('/tenants/current/projects')
      .set(foreign.bearer)
      .send({ name: 'Secret' })
      .expect(200);
    const path = `/tenants/current/projects/${project.body.data.id}`;
    bypass.start();
    await t.api.get(path).set(own.bearer).expect(404);
    for (const table of ['projects', 'audit_log'])
      await t.database.query(`ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`);
    expect((await t.api.get(path).set(own.bearer).expect(200)).body.data.name).toBe('Secret');
    expect((await t.api.get('/tenants/current/projects').set(own.bearer).expect(200)).body.data.items).toHaveLength(1);
    await t.api.patch(path).set(own.bearer).send({ name: 'Changed' }).expect(200);
    await t.close();
    bypass.stop();
  });
});

import { openApiDocument } from '../../../src/http/openapi/openapi-document';
import { type Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Sabotage } from '../../support/tenant-filter-sabotage';

/** A tenant's resources by the names of their ids in paths. */
interface Belongings {
  readonly owner: Member;
  readonly member: Member;
  readonly ids: Record<string, string>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const BODIES: Record<string, (foreign: Belongings) => object> = {
  'patch /api/v1/tenants/current/members/{userId}': ({ ids }) => ({ roleId: ids.roleId }),
  'put /api/v1/tenants/current/roles/{roleId}': () => ({ name: 'Taken over', permissions: ['tenant.projects.read'] }),
  'patch /api/v1/tenants/current/projects/{id}': () => ({ name: 'Taken over' }),
};
/** Requests with an id of another tenant in the body. */
const IDS_IN_BODIES: [
  method: 'post' | 'patch',
  path: string,
  body: (foreign: Belongings, own: Belongings) => object,
][] = [
  ['post', '/auth/switch-tenant', ({ owner }) => ({ tenantId: owner.tenantId })],
  ['post', '/tenants/current/ownership', ({ member }) => ({ userId: member.user.id })],
  ['post', '/tenants/current/invitations', ({ ids }) => ({ email: 'x@example.com', roleId: ids.roleId })],
  ['patch', '/tenants/current/members/:own', ({ ids }) => ({ roleId: ids.roleId })],
];

/** Fills in the ids of a path: `{id}` belongs to the collection before it. */
function fill(path: string, ids: Record<string, string>): string {
  return path.replace(/(\w[\w-]*)\/\{(\w+)\}/g, (_all, collection: string, name: string) => {
    if (name === 'provider') return `${collection}/google`; // belongs to the caller, not to a tenant
    const id = ids[name === 'id' ? collection : name];
    if (!id) throw new Error(`no id of another tenant for {${name}} of ${path}: add one`);
    return `${collection}/${id}`;
  });
}

describe.each([
  ['as it is', false],
  ['with every condition on the tenant taken out of its statements', true],
])('the service %s', (_what, damaged) => {
  let sabotage: Sabotage;
  let t: TestApp;
  let own: Belongings;
  let foreign: Belongings;

  const belongings = async (tenantName: string): Promise<Belongings> => {
    const owner = await t.actors.owner({ tenantName });
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
    const projects = await post('/tenants/current/projects', { name: `Project of ${tenantName}` });
    const [{ id: notifications }] = (await t.api.get('/notifications').set(owner.bearer).expect(200)).body.data.items;
    const roleId = await t.actors.role(owner, ['tenant.projects.read'], `Role of ${tenantName}`);
    const [{ id: sessions }] = (await t.api.get('/auth/sessions').set(owner.bearer).expect(200)).body.data.items;
    return { owner, member, ids: { userId: member.user.id, invitations, projects, notifications, roleId, sessions } };
  };

  beforeAll(async () => {
    sabotage = new Sabotage();
    t = await TestApp.start();
    [own, foreign] = [await belongings('Own'), await belongings('Foreign')];
    if (damaged) sabotage.begin();
  });
  afterAll(async () => {
    await t.close();
    sabotage.end();
    expect(sabotage.damaged > 20).toBe(damaged);
  });

  it("answers 404 to another tenant's ids on every route that takes one, and changes nothing", async () => {
    const before = await snapshot();
    const { paths } = openApiDocument(t.nest, t.settings);
    const routes = Object.entries(paths).flatMap(([path, item]) =>
      METHODS.filter((method) => method in item && path.includes('{') && !path.includes('/admin/')).map((method) => ({
        method,
        path,
      })),
    );
    expect(routes.length).toBeGreaterThanOrEqual(10);
    for (const { method, path } of routes) {
      const body = BODIES[`${method} ${path}`]?.(own);
      const answer = await t.http[method](fill(path, foreign.ids)).set(own.owner.bearer).send(body);
      expect([method, path, answer.status, answer.body.error?.code]).toEqual([method, path, 404, 'NOT_FOUND']);
    }
    expect(await snapshot()).toEqual(before);
  });

  it("answers 404 to another tenant's ids in bodies", async () => {
    const before = await snapshot();
    for (const [method, path, body] of IDS_IN_BODIES) {
      const answer = await t.api[method](path.replace(':own', own.member.user.id))
        .set(own.owner.bearer)
        .send(body(foreign, own));
      expect([path, answer.status, answer.body.error?.code]).toEqual([path, 404, 'NOT_FOUND']);
    }
    expect(await snapshot()).toEqual(before);
  });

  it('lists nothing of another tenant', async () => {
    const { paths } = openApiDocument(t.nest, t.settings);
    const lists = Object.keys(paths).filter(
      (path) => /\/(tenants\/current|notifications)/.test(path) && !/\{|stream/.test(path) && 'get' in paths[path],
    );
    expect(lists.length).toBeGreaterThanOrEqual(8);
    for (const path of lists) {
      const { text } = await t.http.get(path).set(own.owner.bearer).expect(200);
      const ownIds = [...Object.values(own.ids), own.owner.tenantId];
      if (!/permissions|unread-count/.test(path))
        expect([path, ownIds.some((id) => text.includes(id))]).toEqual([path, true]);
      expect([path, text.includes('Foreign'), Object.values(foreign.ids).filter((id) => text.includes(id))]).toEqual([
        path,
        false,
        [],
      ]);
    }
  });

  /** All rows of the other tenant, read as a superuser. */
  const snapshot = () =>
    t.database.query(
      `SELECT (SELECT json_agg(m ORDER BY m.id) FROM memberships m WHERE tenant_id = $1) AS members,
              (SELECT json_agg(r ORDER BY r.id) FROM roles r WHERE tenant_id = $1) AS roles,
              (SELECT json_agg(i ORDER BY i.id) FROM (SELECT id, email, expires_at FROM invitations
                WHERE tenant_id = $1) i) AS invitations,
              (SELECT json_agg(p ORDER BY p.id) FROM projects p WHERE tenant_id = $1) AS projects,
              (SELECT json_agg(n ORDER BY n.id) FROM notifications n WHERE tenant_id = $1) AS notifications`,
      [foreign.owner.tenantId],
    );
});

describe('without its policies', () => {
  it("the sabotaged service would show and change another tenant's data, so the suite above can fail", async () => {
    const sabotage = new Sabotage();
    const t = await TestApp.start();
    const [own, foreign] = [await t.actors.owner(), await t.actors.owner()];
    const project = await t.api
      .post('/tenants/current/projects')
      .set(foreign.bearer)
      .send({ name: 'Secret' })
      .expect(200);
    const path = `/tenants/current/projects/${project.body.data.id}`;
    sabotage.begin();
    await t.api.get(path).set(own.bearer).expect(404);
    for (const table of ['projects', 'audit_log'])
      await t.database.query(`ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`);
    expect((await t.api.get(path).set(own.bearer).expect(200)).body.data.name).toBe('Secret');
    expect((await t.api.get('/tenants/current/projects').set(own.bearer).expect(200)).body.data.items).toHaveLength(1);
    await t.api.patch(path).set(own.bearer).send({ name: 'Changed' }).expect(200);
    await t.close();
    sabotage.end();
  });
});

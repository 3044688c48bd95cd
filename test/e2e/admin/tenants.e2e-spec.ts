import { Database } from '../../../src/platform/database/database';
import { EVERY_TENANT } from '../../../src/platform/database/tenant-scope';
import { newId } from '../../../src/platform/ids';
import { type Member, type SignedInUser } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';

describe('tenants for operators', () => {
  let t: TestApp;
  let admin: SignedInUser;
  let acme: Member;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    admin = await t.actors.admin();
    acme = await t.actors.owner({ tenantName: 'Acme' });
  });
  afterAll(() => t.close());

  const list = async (query: object) =>
    (await t.api.get('/admin/tenants').query(query).set(admin.bearer).expect(200)).body.data;
  const names = async (search: string) => (await list({ search })).items.map(({ name }: { name: string }) => name);
  const get = (path: string) => t.api.get(`/admin/tenants/${path}`).set(admin.bearer);

  it('are listed newest first with plan, status, Owner and number of members, page by page', async () => {
    const newer = await t.actors.owner({ tenantName: 'Newer' });
    await t.actors.member(newer);
    await t.database.query(
      `INSERT INTO subscriptions (tenant_id, processor_customer_id, processor_subscription_id, plan, status, updated_at)
       VALUES ($1, 'cus_1', 'sub_1', 'Pro', 'Trialing', now())`,
      [newer.tenantId],
    );
    const first = await list({ limit: 1 });
    expect(first.items).toEqual([
      {
        id: newer.tenantId,
        name: 'Newer',
        createdAt: expect.stringMatching(/Z$/),
        plan: 'Pro',
        status: 'Trialing',
        processorStatus: null,
        processorCustomerId: 'cus_1',
        processorSubscriptionId: 'sub_1',
        overrideEndsAt: null,
        memberCount: 2,
        owner: { id: newer.user.id, email: newer.user.email, name: 'Ada' },
      },
    ]);
    const second = await list({ limit: 1, cursor: first.nextCursor });
    expect(second).toMatchObject({
      items: [{ name: 'Acme', plan: 'Free', status: 'Active', memberCount: 1 }],
      nextCursor: null,
    });
    const details = {
      currentPeriodEnd: null,
      cancelAtPeriodEnd: false,
      trialEndsAt: null,
      subscriptionUpdatedAt: expect.stringMatching(/Z$/),
      signInPolicy: {
        secondFactorFrom: null,
        maxSessionHours: null,
        allowedMethods: null,
        maxTokenDays: null,
        updatedAt: null,
      },
    };
    expect((await get(newer.tenantId).expect(200)).body.data).toEqual({ ...first.items[0], ...details });
  });

  it('are found by a part of the name that begins a word', async () => {
    await t.actors.owner({ tenantName: "Nina Neu's (new) workspace" });
    for (const part of ['nina', 'Neu', "neu's (new) w", 'NEW', '(new', 'workspace'])
      expect([part, await names(part)]).toEqual([part, expect.arrayContaining(["Nina Neu's (new) workspace"])]);
    for (const part of ['eu', 'orkspace', 'nina workspace']) expect([part, await names(part)]).toEqual([part, []]);
  });

  it('are found by the beginning of their name, in any case, also after a rename, and by their id', async () => {
    const odd = await t.actors.owner({ tenantName: 'Übung & Söhne 100%' });
    expect(await names('acm')).toEqual(['Acme']);
    expect(await names('CME')).toEqual([]);
    expect(await names('übung')).toEqual(['Übung & Söhne 100%']);
    expect(await names('%')).toEqual([]);
    expect(await names(odd.tenantId)).toEqual(['Übung & Söhne 100%']);
    await t.api.patch('/tenants/current').set(odd.bearer).send({ name: 'Zeta' }).expect(200);
    expect([await names('zet'), await names('übung')]).toEqual([['Zeta'], []]);
  });

  it('are found among many by an index', async () => {
    await t.database.query(
      `BEGIN; SET LOCAL session_replication_role = replica;
       INSERT INTO tenants (id, name, created_at, name_key)
         SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'Crowd ' || i, now(), 'crowd ' || i
           FROM generate_series(1, 12000) i;
       INSERT INTO memberships SELECT id, '${acme.user.id}', id, id, true, now() FROM tenants
         WHERE name LIKE 'Crowd %';
       INSERT INTO tenant_search_terms SELECT id, search_terms_of(name_key) FROM tenants WHERE name LIKE 'Crowd %';
       COMMIT`,
    );
    expect((await list({ search: 'crowd 77', limit: 100 })).items).toHaveLength(100);
    expect(await names('crowd 1234')).toEqual(['Crowd 1234']);
    expect(await names('crowd 11999')).toEqual(['Crowd 11999']);
    expect(await names('11999')).toEqual(['Crowd 11999']);
    await t.database.query('ANALYZE tenants; ANALYZE tenant_search_terms');
    const explain = `
      EXPLAIN SELECT r.id FROM tenants r WHERE EXISTS (
        SELECT FROM tenant_search_terms s WHERE s.tenant_id = r.id AND s.term ~>=~ '1234' AND s.term ~<~ '1235')`;
    const plan = await t.nest.get(Database).readInTenant(EVERY_TENANT, explain, []);
    expect(JSON.stringify(plan)).toContain('tenant_search_terms_term_idx');
  });

  it('show their members, page by page', async () => {
    const member = await t.actors.member(acme);
    const first = (await get(`${acme.tenantId}/members?limit=1`).expect(200)).body.data;
    expect(first.items).toMatchObject([{ userId: acme.user.id, role: 'Owner' }]);
    const second = (await get(`${acme.tenantId}/members?limit=1&cursor=${first.nextCursor}`).expect(200)).body.data;
    expect(second).toMatchObject({ items: [{ userId: member.user.id, role: 'Member' }], nextCursor: null });
  });

  it('respond with 404 to an unknown id', async () => {
    for (const path of [newId(), `${newId()}/members`]) expect(codeOf(await get(path).expect(404))).toBe('NOT_FOUND');
    expect(codeOf(await get('x').expect(400))).toBe('VALIDATION_ERROR');
  });
});

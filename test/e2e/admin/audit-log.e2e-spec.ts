import { HOUR } from '../../../src/platform/clock';
import { newId } from '../../../src/platform/ids';
import { type Member, type SignedInUser } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly actorId: string;
  readonly tenantId: string | null;
  readonly targetId: string;
}

describe('the audit log, for operators', () => {
  let t: TestApp;
  let admin: SignedInUser;
  let one: Member;
  let other: Member;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    admin = await t.actors.admin();
    [one, other] = [await t.actors.owner(), await t.actors.owner()];
    for (const owner of [one, other]) await t.actors.role(owner, ['tenant.projects.read'], 'Reader');
  });
  afterAll(() => t.close());

  const list = async (query: object): Promise<{ items: Entry[]; nextCursor: string | null }> =>
    (await t.api.get('/admin/audit-log').query(query).set(admin.bearer).expect(200)).body.data;
  const all = async (query: object) => (await list({ limit: 100, ...query })).items;

  it('lists the entries of all tenants and of none, newest first, page by page', async () => {
    const to = t.clock.now().toISOString(); // each view adds an entry
    const items = await all({ to });
    expect(new Set(items.map(({ tenantId }) => tenantId))).toEqual(new Set([one.tenantId, other.tenantId, null]));
    expect(items.map(({ id }) => id)).toEqual(
      items
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
    const first = await list({ limit: 3, to });
    const second = await list({ limit: 3, to, cursor: first.nextCursor });
    expect([...first.items, ...second.items]).toEqual(items.slice(0, 6));
  });

  it('is filtered by actor, target, tenant and action, alone and combined', async () => {
    const actions = async (query: object) => (await all(query)).map(({ action }) => action);
    expect(new Set((await all({ actor: one.user.id })).map(({ actorId }) => actorId))).toEqual(new Set([one.user.id]));
    expect((await actions({ actor: one.user.id })).sort()).toEqual([
      'role.created',
      'tenant.created',
      'user.signed-in',
    ]);
    expect(await actions({ tenant: one.tenantId, action: 'role.created' })).toEqual(['role.created']);
    expect((await all({ action: 'role.created' })).map(({ tenantId }) => tenantId)).toEqual([
      other.tenantId,
      one.tenantId,
    ]);
    expect(await actions({ target: one.tenantId })).toEqual(['tenant.created']);
    expect(await actions({ actor: one.user.id, tenant: other.tenantId })).toEqual([]);
    expect(await actions({ actor: newId() })).toEqual([]);
  });

  it('is filtered by an inclusive time range', async () => {
    t.clock.advance(HOUR);
    admin = await t.actors.refreshed(admin);
    const late = await t.actors.signedInUser();
    const [{ at }] = await all({ actor: late.user.id });
    const before = new Date(new Date(at).getTime() - 1).toISOString();
    const after = new Date(new Date(at).getTime() + 1).toISOString();
    const found = async (query: object) => (await all({ actor: late.user.id, ...query })).length;
    expect([await found({ from: at, to: at }), await found({ from: after }), await found({ to: before })]).toEqual([
      1, 0, 0,
    ]);
    expect((await all({ from: before })).every((entry) => entry.at >= before)).toBe(true);
    expect((await all({ to: before })).some(({ actorId }) => actorId === late.user.id)).toBe(false);
    expect(await found({ from: at.replace('Z', '+00:00') })).toBe(1);
  });

  it.each([
    ['actor', 'somebody'],
    ['tenant', '1'],
    ['from', 'yesterday'],
    ['to', '2026-02-31T25:00:00Z'],
    ['from', '2026-01-01'],
    ['to', '2026-02-31T00:00:00Z'],
    ['from', '1970-01-01T00:00:00+01:00'],
    ['to', '10000-01-01T00:00:00Z'],
    ['action', ''],
    ['cursor', 'x'],
  ])('refuses %s=%s', async (name, value) => {
    const response = await t.api
      .get('/admin/audit-log')
      .query({ [name]: value })
      .set(admin.bearer)
      .expect(400);
    expect([codeOf(response), Object.keys(response.body.error.details)]).toEqual(['VALIDATION_ERROR', [name]]);
  });
});

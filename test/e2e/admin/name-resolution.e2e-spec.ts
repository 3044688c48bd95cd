import { newId } from '../../../src/platform/ids';
import type { Member, SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';

describe('name resolution for operators', () => {
  let t: TestApp;
  let admin: SignedInUser;
  let acme: Member;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    admin = await t.actors.admin();
    acme = await t.actors.owner({ tenantName: 'Acme', email: 'olga@names.example' });
  });
  afterAll(() => t.close());

  const ask = (query: object) => t.api.get('/admin/names').query(query).set(admin.bearer);
  const names = async (...ids: string[]) => (await ask({ ids: ids.join(',') }).expect(200)).body.data;

  it('returns the names of users and tenants, disabled users included', async () => {
    const closed = await t.actors.user({ name: 'Gone', disabledAt: new Date() });
    const { items, nextCursor } = await names(acme.tenantId, closed.id, acme.user.id);
    expect(items).toHaveLength(3);
    expect(items).toEqual(
      expect.arrayContaining([
        { id: acme.user.id, kind: 'user', name: 'Ada', email: 'olga@names.example' },
        { id: closed.id, kind: 'user', name: 'Gone', email: closed.email },
        { id: acme.tenantId, kind: 'tenant', name: 'Acme', email: null },
      ]),
    );
    expect(nextCursor).toBeNull();
  });

  it('omits unknown ids and returns each name once, in any spelling of the id', async () => {
    expect(await names(newId())).toEqual({ items: [], nextCursor: null });
    const { items } = await names(newId(), acme.tenantId.toUpperCase(), acme.tenantId);
    expect(items).toEqual([{ id: acme.tenantId, kind: 'tenant', name: 'Acme', email: null }]);
  });

  it('accepts at most 100 ids, each of them a UUID', async () => {
    const ids = Array.from({ length: 101 }, newId);
    await ask({ ids: ids.slice(1).join(',') }).expect(200);
    for (const wrong of [
      ids.join(','),
      '',
      ',',
      'x',
      `${ids[0]},`,
      `${ids[0]};${ids[1]}`,
      `${ids[0]}, ${ids[1]}`,
      undefined,
    ]) {
      const { body } = await ask({ ids: wrong }).expect(400);
      expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { ids: [expect.any(String)] } });
    }
  });
});

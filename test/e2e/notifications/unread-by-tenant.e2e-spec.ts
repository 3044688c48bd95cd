import { NotificationRepository } from '../../../src/notifications/data/notification.repository';
import { ok } from '../../../src/platform/result';
import { UnitOfWork } from '../../../src/platform/database/unit-of-work';
import type { Bearer, Member } from '../../support/actors';
import { TestApp } from '../../support/app';

describe('unread notifications of all tenants', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  const counts = async (by: Bearer) =>
    (await t.api.get('/notifications/unread-counts').set(by.bearer).expect(200)).body.data.items as object[];
  const tell = (userId: string, tenantId: string | null, times: number) =>
    t.nest.get(UnitOfWork).acrossTenants(async () => {
      const one = { tenantId, userId, kind: 'PaymentRecovered', data: { plan: 'Pro' } } as const;
      return ok(await t.nest.get(NotificationRepository).add(Array.from({ length: times }, () => one)));
    });
  const second = async (owner: Member) =>
    (await t.api.post('/tenants').set(owner.bearer).send({ name: 'Second Corp' }).expect(200)).body.data.id as string;

  it('are counted by tenant, for the tenants of which the user is a member', async () => {
    const [owner, neighbor] = [await t.actors.owner(), await t.actors.owner()];
    const other = await second(owner);
    await tell(owner.user.id, owner.tenantId, 2);
    await tell(owner.user.id, other, 3);
    await tell(owner.user.id, null, 1);
    await tell(owner.user.id, neighbor.tenantId, 1); // a tenant of which they are not a member
    await tell(neighbor.user.id, neighbor.tenantId, 1);
    const expected = [
      { tenantId: owner.tenantId, count: 2 },
      { tenantId: other, count: 3 },
    ];
    expect(await counts(owner)).toEqual(expected);
    expect(await counts(neighbor)).toEqual([{ tenantId: neighbor.tenantId, count: 1 }]);
    await t.api.post('/notifications/read-all').set(owner.bearer).expect(200);
    expect(await counts(owner)).toEqual(expected.slice(1));
  });

  it('are not counted for a tenant that is being deleted, although its rows still exist', async () => {
    const owner = await t.actors.owner();
    const other = await second(owner);
    await tell(owner.user.id, other, 3);
    await t.database.query('INSERT INTO deleted_tenants SELECT $1', [other]);
    expect(await counts(owner)).toEqual([]);
    expect(await t.database.query('SELECT FROM notifications WHERE tenant_id = $1', [other])).toHaveLength(3);
  });

  it('are counted for the caller only, and are zero without any', async () => {
    await t.api.get('/notifications/unread-counts').expect(401);
    expect(await counts(await t.actors.signedInUser())).toEqual([]);
  });
});

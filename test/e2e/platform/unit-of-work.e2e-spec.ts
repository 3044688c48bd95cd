import { ok } from '../../../src/platform/result';
import { UnitOfWork } from '../../../src/platform/database/unit-of-work';
import { TestApp } from '../../support/app';

describe('A unit of work', () => {
  let t: TestApp;
  let unitOfWork: UnitOfWork;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    unitOfWork = t.nest.get(UnitOfWork);
  });
  afterAll(() => t.close());

  it('is repeated from the start after a deadlock, so that both succeed once', async () => {
    const [a, b] = [await t.actors.user({ name: '0' }), await t.actors.user({ name: '0' })];
    const add = (id: string) =>
      unitOfWork.query('UPDATE users SET name = (name::int + 1)::text WHERE id = $1 RETURNING id', [id]);
    let begun = 0;
    let meet!: () => void;
    const bothHaveOne = new Promise<void>((resolve) => (meet = resolve));
    const work = (first: string, second: string) =>
      unitOfWork.transaction(async () => {
        await add(first);
        if (++begun === 2) meet();
        await bothHaveOne;
        await add(second);
        return ok();
      });
    const outcomes = await Promise.all([work(a.id, b.id), work(b.id, a.id)]);
    expect(outcomes.map(({ ok: done }) => done)).toEqual([true, true]);
    expect(begun).toBe(3);
    expect(await t.database.query('SELECT name FROM users WHERE id = ANY($1)', [[a.id, b.id]])).toEqual([
      { name: '2' },
      { name: '2' },
    ]);
  });

  it('keeps the tenant scope with which it started', async () => {
    const [one, other] = [await t.actors.owner(), await t.actors.owner()];
    const inner = (scope: Parameters<UnitOfWork['inTenant']>[0]) =>
      unitOfWork.inTenant(scope, () => Promise.resolve(ok()));
    const { tenantId } = one;
    await expect(unitOfWork.inTenant({ tenantId }, () => inner({ tenantId }))).resolves.toMatchObject({ ok: true });
    await expect(unitOfWork.inTenant({ tenantId }, () => inner({ tenantId: other.tenantId }))).rejects.toThrow(
      'cannot change its scope',
    );
    await expect(
      unitOfWork.inTenant({ tenantId }, () => unitOfWork.acrossTenants(() => Promise.resolve(ok()))),
    ).rejects.toThrow('cannot change its scope');
    await expect(unitOfWork.transaction(() => inner({ tenantId }))).rejects.toThrow('cannot change its scope');
  });

  it('does not find a deleted tenant, and leaves no scope on the connection', async () => {
    const gone = await unitOfWork.inTenant({ tenantId: '00000000-0000-7000-8000-000000000000' }, () =>
      Promise.resolve(ok()),
    );
    expect(gone).toMatchObject({ ok: false, failure: { code: 'NOT_FOUND' } });
    const { tenantId } = await t.actors.owner();
    const failing = unitOfWork.inTenant({ tenantId }, () => unitOfWork.query('SELECT 1 / 0', []).then(() => ok()));
    await expect(failing).rejects.toThrow('division by zero');
    const seen = await Promise.all(Array.from({ length: 10 }, () => unitOfWork.query('SELECT id FROM tenants', [])));
    expect(seen.flat()).toEqual([]);
  });
});

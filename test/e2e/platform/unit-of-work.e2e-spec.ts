import { setTimeout as pause } from 'node:timers/promises';
import { PlatformFailures } from '../../../src/platform/platform.failures';
import { err, ok } from '../../../src/platform/result';
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

  it.each([
    ['in SQL', () => unitOfWork.query<{ id: string }>('SELECT id FROM tenants', [])],
    ["of TypeORM's", () => unitOfWork.manager.query<{ id: string }[]>('SELECT id FROM tenants')],
  ])('refuses a statement %s after its end, which could see the rows of another tenant', async (_, read) => {
    const [one, other] = [await t.actors.owner(), await t.actors.owner()];
    let late!: Promise<{ id: string }[]>;
    const failing = unitOfWork.inTenant({ tenantId: one.tenantId }, () => {
      late = pause(100).then(read);
      return Promise.reject(new Error('a bug'));
    });
    await expect(failing).rejects.toThrow('a bug');
    const refused = expect(late).rejects.toThrow('The transaction has ended');
    // on all connections, also on that of the first one
    const others = Array.from({ length: 10 }, () =>
      unitOfWork.inTenant({ tenantId: other.tenantId }, () => pause(300).then(() => ok())),
    );
    await Promise.all([refused, ...others]);
  });

  describe('whose statements are sent together with the next one', () => {
    const rename = (id: string, name: string | null) =>
      unitOfWork.write('UPDATE users SET name = $2 WHERE id = $1', [id, name]);
    const nameOf = async (id: string) => {
      const [{ name }] = await t.database.query<{ name: string }>('SELECT name FROM users WHERE id = $1', [id]);
      return name;
    };

    it('executes them in their order, before the statements that follow', async () => {
      const { id } = await t.actors.user();
      const read = await unitOfWork.transaction(async () => {
        await rename(id, 'first');
        await rename(id, 'second');
        const [{ name }] = await unitOfWork.query<{ name: string }>('SELECT name FROM users WHERE id = $1', [id]);
        await rename(id, 'third');
        return ok(name);
      });
      expect(read).toMatchObject({ ok: true, value: 'second' });
      expect(await nameOf(id)).toBe('third');
    });

    it.each([
      ['COMMIT', () => Promise.resolve()],
      ['a statement in SQL', () => unitOfWork.query('SELECT 1', [])],
      ["a statement of TypeORM's", () => unitOfWork.manager.query('SELECT 1')],
    ])('reports the refusal of one that was sent with %s, and rolls back', async (_, next) => {
      const { id, name } = await t.actors.user();
      const refused = unitOfWork.transaction(async () => {
        await rename(id, 'changed');
        await rename(id, null);
        await next();
        return ok();
      });
      await expect(refused).rejects.toMatchObject({ code: '23502' });
      expect(await nameOf(id)).toBe(name);
    });

    it('does not execute them after an Err or an exception', async () => {
      const { id, name } = await t.actors.user();
      const refused = await unitOfWork.transaction(async () => {
        await rename(id, 'changed');
        return err(PlatformFailures.notFound);
      });
      expect(refused).toMatchObject({ ok: false });
      const failing = unitOfWork.transaction(async () => {
        await rename(id, 'changed');
        throw new Error('a bug');
      });
      await expect(failing).rejects.toThrow('a bug');
      // the connections are usable, and begin no transaction by themselves
      await Promise.all(Array.from({ length: 10 }, () => unitOfWork.query('SELECT 1', [])));
      expect(await nameOf(id)).toBe(name);
    });

    it('never commits what it reports as failed, however slow they are', async () => {
      const { id, name } = await t.actors.user();
      const slow = (to: string) =>
        unitOfWork.write('UPDATE users SET name = $2 WHERE id = $1 AND pg_sleep(1.4) IS NOT NULL', [id, to]);
      const overdue = unitOfWork.transaction(async () => {
        await slow('first');
        await slow('second');
        return ok();
      });
      await expect(overdue).rejects.toMatchObject({ code: '57014' });
      await pause(1500);
      expect(await nameOf(id)).toBe(name);
    });

    it('leaves COMMIT half a second, which PostgreSQL does not limit', async () => {
      const { id, name } = await t.actors.user();
      await t.database.query(`
        CREATE FUNCTION delay() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.45); RETURN NULL; END';
        CREATE CONSTRAINT TRIGGER delay AFTER UPDATE ON users DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW WHEN (NEW.name = 'slow') EXECUTE FUNCTION delay()`);
      const overdue = unitOfWork.transaction(async () => {
        for (const to of ['other', 'slow'])
          await unitOfWork.write('UPDATE users SET name = $2 WHERE id = $1 AND pg_sleep(1.1) IS NOT NULL', [id, to]);
        return ok();
      });
      await expect(overdue).rejects.toMatchObject({ code: '57014' });
      await pause(1500);
      expect(await nameOf(id)).toBe(name);
    });

    it('refuses one that is given after the end, which another transaction would execute', async () => {
      const { id, name } = await t.actors.user();
      let late!: Promise<void>;
      const refused = unitOfWork.transaction(() => {
        late = pause(50).then(() => rename(id, 'late'));
        return Promise.reject(new Error('a bug'));
      });
      await expect(refused).rejects.toThrow('a bug');
      await expect(late).rejects.toThrow('The transaction has ended');
      await Promise.all(Array.from({ length: 10 }, () => unitOfWork.query('SELECT 1', [])));
      expect(await nameOf(id)).toBe(name);
    });

    it('reports one whose parameter cannot be sent', async () => {
      const { id } = await t.actors.user();
      const circular: Record<string, unknown> = {};
      circular.self = circular;
      const refused = unitOfWork.transaction(async () => {
        await unitOfWork.write('UPDATE users SET name = $2 WHERE id = $1', [id, circular]);
        return ok();
      });
      await expect(refused).rejects.toThrow('circular structure');
    });

    it('executes them at once outside of a transaction', async () => {
      const { id } = await t.actors.user();
      await rename(id, 'changed');
      expect(await nameOf(id)).toBe('changed');
    });
  });
});

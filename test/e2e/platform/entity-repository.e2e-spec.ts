import { Column, DataSource, Entity, IsNull, LessThan, Not, PrimaryColumn } from 'typeorm';
import { databaseOptions } from '../../../src/platform/database/database-options';
import { EntityRepository, type LockMode } from '../../../src/platform/database/entity-repository';
import type { UnitOfWork } from '../../../src/platform/database/unit-of-work';
import { TestDatabase } from '../../support/database';

@Entity('seals')
class Seal {
  @PrimaryColumn('integer') readonly office!: number;
  @PrimaryColumn('integer') readonly number!: number;
  @Column('text') color!: string;
  @Column({ type: 'text', update: false }) readonly owner!: string;
  @Column('timestamptz', { name: 'broken_at', nullable: true }) brokenAt!: Date | null;

  static of(number: number, values: Partial<Seal> = {}): Seal {
    return Object.assign(new Seal(), { office: 1, number, color: 'red', owner: 'Ada', brokenAt: null, ...values });
  }
}

/** Makes public what the base class offers. */
class SealRepository extends EntityRepository<Seal> {
  constructor(unitOfWork: UnitOfWork) {
    super(Seal, unitOfWork);
  }

  override insert = (seal: Seal) => super.insert(seal);
  override insertUnlessStored = (seal: Seal) => super.insertUnlessStored(seal);
  override insertAllLater = (list: Seal[]) => super.insertAllLater(list);
  insertOrReplaceBroken = (seal: Seal) =>
    super.insertOrReplace(seal, ['office', 'number'], { brokenAt: Not(IsNull()) });
  override update = (seal: Seal) => super.update(seal);
  override updateLater = (seal: Seal) => super.updateLater(seal);
  override delete = (seal: Seal) => super.delete(seal);
  lockAllLater = (mode: LockMode) => this.lockLater({ office: 1 }, mode);
  deleteSomeRed = (limit: number) => this.deleteSome({ color: 'red' }, limit);
  breakSomeRed = (limit: number) => this.updateSome({ color: 'red' }, { color: 'gray', brokenAt: new Date(5) }, limit);
  purge = (until: Date, limit: number) => this.deleteUpTo('brokenAt', until, limit);
  breakIntact = (number: number, at: Date) => this.updateBy({ number, brokenAt: IsNull() }, { brokenAt: at });
  deleteIntactOrBefore = (at: Date) => this.deleteBy([{ brokenAt: IsNull() }, { brokenAt: LessThan(at) }]);
  all = () => this.rows.find({ order: { number: 'ASC' } });
}

describe('EntityRepository', () => {
  let database: TestDatabase;
  let source: DataSource;
  let seals: SealRepository;
  const sent: string[] = [];

  beforeAll(async () => {
    database = await TestDatabase.create('template0');
    source = await new DataSource(databaseOptions(database.urls.owner, 3, [Seal])).initialize();
    await source.synchronize();
    // TypeORM returns for a DELETE its rows and their number
    const query = async (sql: string, parameters: unknown[]) => (await source.query<[object[]]>(sql, parameters))[0];
    seals = new SealRepository({ manager: source.manager, query, write: query } as unknown as UnitOfWork);
    source.setOptions({ logger: { logQuery: (sql: string) => sent.push(sql) } as never, logging: ['query'] });
  });
  beforeEach(async () => {
    await source.query('TRUNCATE seals');
    sent.length = 0;
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  it.each(['update', 'updateLater'] as const)(
    '%s stores the mutable columns with one UPDATE, and no others',
    async (save) => {
      await seals.insert(Seal.of(1));
      await seals.insert(Seal.of(2));
      sent.length = 0;
      await seals[save](Seal.of(1, { color: 'blue', owner: 'Eve', brokenAt: new Date(5) }));
      expect(sent).toEqual([expect.stringMatching(/^UPDATE "seals" SET "color" = \$1, "broken_at" = \$2 WHERE/)]);
      expect(await seals.all()).toEqual([Seal.of(1, { color: 'blue', brokenAt: new Date(5) }), Seal.of(2)]);
    },
  );

  it('deletes some of the rows that match, with one DELETE', async () => {
    for (const seal of [Seal.of(1), Seal.of(2), Seal.of(3), Seal.of(4, { color: 'blue' })]) await seals.insert(seal);
    sent.length = 0;
    expect(await seals.deleteSomeRed(2)).toBe(2);
    expect(sent).toHaveLength(1);
    expect(await seals.deleteSomeRed(2)).toBe(1);
    expect(await seals.all()).toEqual([Seal.of(4, { color: 'blue' })]);
  });

  it('changes some of the rows that match, with one UPDATE', async () => {
    for (const seal of [Seal.of(1), Seal.of(2), Seal.of(3, { color: 'blue' })]) await seals.insert(seal);
    sent.length = 0;
    expect([await seals.breakSomeRed(1), await seals.breakSomeRed(2), await seals.breakSomeRed(2)]).toEqual([1, 1, 0]);
    expect(sent).toHaveLength(3);
    const broken = { color: 'gray', brokenAt: new Date(5) };
    expect(await seals.all()).toEqual([Seal.of(1, broken), Seal.of(2, broken), Seal.of(3, { color: 'blue' })]);
  });

  it.each(['deleteSomeRed', 'breakSomeRed'] as const)(
    'locks rows by their keys, in whichever order it finds them (%s)',
    async (change) => {
      for (const number of [3, 2, 1]) await seals.insert(Seal.of(number));
      const locked = 'SELECT FROM seals WHERE number = 2 FOR UPDATE';
      const both = () => Promise.all([seals.lockAllLater('pessimistic_write'), seals[change](3)]);
      expect((await database.inTheMidstOf(locked, [], both, 2))[1]).toBe(3); // without a deadlock
    },
  );

  it.each(['deleteSomeRed', 'breakSomeRed'] as const)(
    'leaves a row out that matches no longer once it is locked (%s)',
    async (change) => {
      for (const number of [1, 2]) await seals.insert(Seal.of(number));
      const changed = `UPDATE seals SET color = 'blue' WHERE number = 2`;
      expect(await database.inTheMidstOf(changed, [], () => seals[change](3))).toBe(1);
      expect((await seals.all()).at(-1)).toEqual(Seal.of(2, { color: 'blue' }));
    },
  );

  it('changes rows by a condition and returns them as entities', async () => {
    await seals.insert(Seal.of(1));
    const [broken] = await seals.breakIntact(1, new Date(5));
    expect(broken).toBeInstanceOf(Seal);
    expect(broken).toEqual(Seal.of(1, { brokenAt: new Date(5) }));
    expect(await seals.breakIntact(1, new Date(6))).toEqual([]);
    expect(await seals.all()).toEqual([Seal.of(1, { brokenAt: new Date(5) })]);
  });

  it('lets one of two concurrent conditional changes succeed', async () => {
    await seals.insert(Seal.of(1));
    const both = await Promise.all([seals.breakIntact(1, new Date(5)), seals.breakIntact(1, new Date(6))]);
    expect(both.map(({ length }) => length).sort()).toEqual([0, 1]);
  });

  it('deletes an entity by its key and tells whether it was there', async () => {
    await seals.insert(Seal.of(1));
    await seals.insert(Seal.of(2));
    expect(await seals.delete(Seal.of(1))).toBe(true);
    expect(await seals.delete(Seal.of(1))).toBe(false);
    expect(await seals.all()).toEqual([Seal.of(2)]);
  });

  it('deletes rows by conditions and returns them as entities', async () => {
    const [intact, old, recent] = [
      Seal.of(1),
      Seal.of(2, { brokenAt: new Date(1) }),
      Seal.of(3, { brokenAt: new Date(9) }),
    ];
    for (const seal of [intact, old, recent]) await seals.insert(seal);
    expect(await seals.deleteIntactOrBefore(new Date(9))).toEqual([intact, old]);
    expect(await seals.all()).toEqual([recent]);
  });

  it('inserts unless a row with the same key is stored', async () => {
    expect(await seals.insertUnlessStored(Seal.of(1))).toBe(true);
    expect(await seals.insertUnlessStored(Seal.of(1, { color: 'blue' }))).toBe(false);
    expect(await seals.all()).toEqual([Seal.of(1)]);
  });

  it('inserts several entities with one statement', async () => {
    const list = [Seal.of(1), Seal.of(2, { brokenAt: new Date(5), color: "Ada's" })];
    sent.length = 0;
    await seals.insertAllLater(list);
    expect(sent).toHaveLength(1);
    expect(await seals.all()).toEqual(list);
  });

  it('inserts or replaces a row that matches a condition, and no other', async () => {
    const [red, broken, blue] = [Seal.of(1), Seal.of(1, { brokenAt: new Date(5) }), Seal.of(1, { color: 'blue' })];
    expect(await seals.insertOrReplaceBroken(red)).toBe(true);
    expect(await seals.insertOrReplaceBroken(blue)).toBe(false);
    expect(await seals.all()).toEqual([red]);
    await seals.update(broken);
    const both = await Promise.all([blue, blue].map((seal) => seals.insertOrReplaceBroken(seal)));
    expect(both.sort()).toEqual([false, true]);
    expect(await seals.all()).toEqual([blue]);
  });

  it('locks rows in the order of their keys, together with the next statement', async () => {
    for (const number of [2, 1]) await seals.insert(Seal.of(number));
    sent.length = 0;
    await seals.lockAllLater('pessimistic_write');
    expect(sent).toEqual([expect.stringMatching(/ORDER BY "r_office" ASC, "r_number" ASC FOR UPDATE$/)]);
  });

  it('purges a limited number of rows, the oldest first', async () => {
    for (const number of [4, 3, 2, 1]) await seals.insert(Seal.of(number, { brokenAt: new Date(number) }));
    await seals.insert(Seal.of(5));
    expect(await seals.purge(new Date(3), 2)).toBe(2);
    expect((await seals.all()).map(({ number }) => number)).toEqual([3, 4, 5]);
    expect(await seals.purge(new Date(3), 2)).toBe(1);
    expect((await seals.all()).map(({ number }) => number)).toEqual([4, 5]);
  });
});

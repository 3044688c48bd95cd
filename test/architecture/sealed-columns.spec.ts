import { ENTITY_CLASSES } from '../../src/entities';
import { tableOf } from '../../src/platform/database/entity-table';
import { countNameOf, sealedColumnsOf, type SealedColumn } from '../../src/platform/database/sealed-column.decorator';
import { TestDatabase } from '../support/database';

/** How a table has its sealed values counted, by the events of its triggers. */
const COUNTED = `
  SELECT DISTINCT e.event
    FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid,
         (VALUES ('insert', 4), ('delete', 8), ('update', 16)) AS e (event, bit)
   WHERE t.tgrelid = to_regclass($1) AND t.tgtype & e.bit <> 0 AND position(quote_literal($2) IN p.prosrc) > 0`;

describe('Sealed columns', () => {
  const columns = sealedColumnsOf(ENTITY_CLASSES);
  let database: TestDatabase;
  beforeAll(async () => {
    database = await TestDatabase.create();
  });
  afterAll(() => database.drop());

  const eventsOf = async (column: SealedColumn) =>
    (await database.query<{ event: string }>(COUNTED, [column.table, countNameOf(column)])).map(({ event }) => event);

  it('are those whose names end with _enc', () => {
    const named = ENTITY_CLASSES.flatMap((entity) => {
      const { rawName, columns: all } = tableOf(entity);
      return all.filter((column) => column.rawName.endsWith('_enc')).map((column) => `${rawName}.${column.rawName}`);
    });
    expect(named.length).toBeGreaterThan(0);
    expect(columns.map(countNameOf).sort()).toEqual(named.sort());
  });

  it('are counted by triggers of their tables', async () => {
    for (const column of columns)
      expect([countNameOf(column), (await eventsOf(column)).sort()]).toEqual([
        countNameOf(column),
        ['delete', 'insert', 'update'],
      ]);
  });

  it('without such a trigger would be found', async () => {
    await database.query('DROP TRIGGER totp_factors_count_update ON totp_factors');
    expect(await eventsOf({ table: 'totp_factors', column: 'secret_enc', key: ['user_id'] })).not.toContain('update');
    expect(await eventsOf({ table: 'users', column: 'name', key: ['id'] })).toEqual([]);
  });
});

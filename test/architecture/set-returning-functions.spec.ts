import { TestDatabase } from '../support/database';

/** What PostgreSQL assumes of a function without ROWS. */
const DEFAULT_ROWS = 1000;
const FUNCTIONS = `
  SELECT proname AS name, prorows AS rows FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
   WHERE proretset AND n.nspname = 'public'
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`;

/** A plan for rows that never come is expensive, and with `jit` it is compiled. */
describe('Functions that return rows', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await TestDatabase.create();
  });
  afterAll(() => database.drop());

  const withDefault = async () =>
    (await database.query<{ name: string; rows: number }>(FUNCTIONS))
      .filter(({ rows }) => rows === DEFAULT_ROWS)
      .map(({ name }) => name);

  it('say how many they return', async () => {
    expect((await database.query(FUNCTIONS)).length).toBeGreaterThan(5);
    expect(await withDefault()).toEqual([]);
  });

  it('would be found without that', async () => {
    await database.query(`CREATE FUNCTION few() RETURNS SETOF integer LANGUAGE sql AS 'SELECT 1'`);
    expect(await withDefault()).toEqual(['few']);
  });
});

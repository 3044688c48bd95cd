import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The state of a tenant: Free and Active until a row of subscriptions says otherwise. */
export const UNSUBSCRIBED = 'Free Active';

/** Rows of a table, by the state that each is in. */
export interface Counted {
  readonly table: string;
  /** What is counted, where that is not called as the table. */
  readonly name?: string;
  /** The state of the row `r`, in SQL; null where it does not count. */
  readonly state: (r: string) => string;
  /** The columns that the state is made of. */
  readonly columns: string;
  /** The state that something was counted in before there was a row. */
  readonly before?: string;
}

/** One table in one transaction: it takes no writes while it is counted, and the others do. */
export abstract class RowCountsOf implements MigrationInterface {
  protected abstract readonly counted: Counted;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL app.across_tenants = 'on'`);
    await keepCount(runner, this.counted);
  }

  async down(runner: QueryRunner): Promise<void> {
    const { table, name = table } = this.counted;
    for (const event of ['insert', 'delete', 'update'])
      await runner.query(`DROP TRIGGER ${table}_count_${event} ON ${table}`);
    for (const which of ['rows', 'change']) await runner.query(`DROP FUNCTION count_${which}_of_${table}`);
    for (const counts of ['row_count_changes', 'row_counts'])
      await runner.query(`DELETE FROM ${counts} WHERE name = $1`, [name]);
  }
}

/**
 * The triggers are made first: they wait for who writes, and whoever writes later waits for them,
 * so that no row is missed or counted twice.
 */
async function keepCount(runner: QueryRunner, { table, name = table, state, columns, before }: Counted): Promise<void> {
  const changesOf = (rows: string, sign = '1') => `
        SELECT '${name}', s.state, sum(s.n) * ${sign}
          FROM (SELECT ${state('r')} AS state, 1 AS n
            FROM ${rows} r${before ? ` UNION ALL SELECT '${before}', -1 FROM ${rows}` : ''}) s
         WHERE s.state IS NOT NULL GROUP BY s.state HAVING sum(s.n) <> 0`;
  await runner.query(`
    CREATE FUNCTION count_rows_of_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO row_count_changes (name, state, n) ${changesOf('changed', `CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END`)};
      RETURN NULL;
    END $$`);
  await runner.query(`
    CREATE FUNCTION count_change_of_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO row_count_changes (name, state, n)
      SELECT '${name}', c.state, c.n FROM (VALUES (${state('OLD')}, -1), (${state('NEW')}, 1)) AS c (state, n) WHERE c.state IS NOT NULL;
      RETURN NULL;
    END $$`);
  for (const [event, rows] of [['insert', 'NEW'], ['delete', 'OLD']]) {
    await runner.query(`
      CREATE TRIGGER ${table}_count_${event} AFTER ${event} ON ${table} REFERENCING ${rows} TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION count_rows_of_${table}()`);
  } // prettier-ignore
  await runner.query(`
    CREATE TRIGGER ${table}_count_update AFTER UPDATE OF ${columns} ON ${table}
    FOR EACH ROW WHEN (${state('OLD')} IS DISTINCT FROM ${state('NEW')}) EXECUTE FUNCTION count_change_of_${table}()`);
  await runner.query(`INSERT INTO row_count_changes (name, state, n) ${changesOf(table)}`);
}

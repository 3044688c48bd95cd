import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The initial state of a tenant, until it has a row in subscriptions. */
export const UNSUBSCRIBED = 'Free Active';

/** A table whose rows are counted by state. */
export interface Counted {
  readonly table: string;
  /** The name of the count, if it differs from the table. */
  readonly name?: string;
  /** What the names of triggers and functions are made of, for a second count of a table. */
  readonly triggers?: string;
  /** The state of the row `r` as SQL; null: not counted. */
  readonly state: (r: string) => string;
  /** The columns that the state depends on. */
  readonly columns: string;
  /** The state that counts before the row exists. */
  readonly before?: string;
}

/** Counts one table in one transaction, which blocks writes to that table only. */
export abstract class RowCountsOf implements MigrationInterface {
  protected abstract readonly counted: Counted;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL app.across_tenants = 'on'`);
    await keepCount(runner, this.counted);
  }

  async down(runner: QueryRunner): Promise<void> {
    const { table, name = table, triggers = table } = this.counted;
    for (const event of ['insert', 'delete', 'update'])
      await runner.query(`DROP TRIGGER ${triggers}_count_${event} ON ${table}`);
    for (const which of ['rows', 'change']) await runner.query(`DROP FUNCTION count_${which}_of_${triggers}`);
    for (const counts of ['row_count_changes', 'row_counts'])
      await runner.query(`DELETE FROM ${counts} WHERE name = $1`, [name]);
  }
}

/**
 * The triggers are created first. CREATE TRIGGER waits for running writes and blocks later ones, so
 * no row is missed or counted twice.
 */
async function keepCount(runner: QueryRunner, counted: Counted): Promise<void> {
  const { table, name = table, triggers = table, state, columns, before } = counted;
  const changesOf = (rows: string, sign = '1') => `
        SELECT '${name}', s.state, sum(s.n) * ${sign}
          FROM (SELECT ${state('r')} AS state, 1 AS n
            FROM ${rows} r${before ? ` UNION ALL SELECT '${before}', -1 FROM ${rows}` : ''}) s
         WHERE s.state IS NOT NULL GROUP BY s.state HAVING sum(s.n) <> 0`;
  await runner.query(`
    CREATE FUNCTION count_rows_of_${triggers}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO row_count_changes (name, state, n)
      ${changesOf('changed', `CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END`)};
      RETURN NULL;
    END $$`);
  await runner.query(`
    CREATE FUNCTION count_change_of_${triggers}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO row_count_changes (name, state, n)
      SELECT '${name}', c.state, c.n FROM (VALUES (${state('OLD')}, -1), (${state('NEW')}, 1)) AS c (state, n)
       WHERE c.state IS NOT NULL;
      RETURN NULL;
    END $$`);
  for (const [event, rows] of [['insert', 'NEW'], ['delete', 'OLD']]) {
    await runner.query(`
      CREATE TRIGGER ${triggers}_count_${event} AFTER ${event} ON ${table} REFERENCING ${rows} TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION count_rows_of_${triggers}()`);
  } // prettier-ignore
  await runner.query(`
    CREATE TRIGGER ${triggers}_count_update AFTER UPDATE OF ${columns} ON ${table}
    FOR EACH ROW WHEN (${state('OLD')} IS DISTINCT FROM ${state('NEW')})
    EXECUTE FUNCTION count_change_of_${triggers}()`);
  await runner.query(`INSERT INTO row_count_changes (name, state, n)
      ${changesOf(table)}`);
}

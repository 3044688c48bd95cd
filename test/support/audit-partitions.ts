import { Client } from 'pg';
import type { TestDatabase } from './database';

/** Runs statements as the owner of the schema, to which row-level security applies. */
export async function asOwner<Row extends object>(database: TestDatabase, ...statements: string[]): Promise<Row[]> {
  const client = new Client({ connectionString: database.urls.owner });
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const sql of statements) rows = (await client.query<Row>(sql)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

const DROP_ALL = `
  DO $$ DECLARE partition text; BEGIN
    FOR partition IN SELECT name FROM audit_log_partitions() LOOP
      EXECUTE format('ALTER TABLE audit_log DETACH PARTITION %I', partition);
      EXECUTE format('DROP TABLE %I', partition);
    END LOOP;
  END $$`;

/** Replaces all partitions, which drops their entries. Months count from the current one. */
export async function replaceAuditPartitions(database: TestDatabase, from: number, until: number): Promise<void> {
  await asOwner(
    database,
    DROP_ALL,
    `SELECT create_audit_log_partition('audit_log_past', NULL, audit_log_bound(audit_log_month(${from})))`,
    `SELECT create_audit_log_months(audit_log_month(${from}), audit_log_month(${until}))`,
  );
}

/** The names of the partitions, oldest first. */
export async function auditPartitions(database: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    'SELECT name FROM audit_log_partitions() ORDER BY upper NULLS LAST',
  );
  return rows.map(({ name }) => name);
}

/** The name of a month's partition. */
export async function auditPartitionOf(database: TestDatabase, month: number): Promise<string> {
  const sql = `SELECT to_char(audit_log_month($1) AT TIME ZONE 'UTC', '"audit_log_"YYYY_MM') AS name`;
  return (await database.query<{ name: string }>(sql, [month]))[0].name;
}

/** An id of the time of a month's start, by SQL. Different ends make different ids. */
export const auditIdSql = (month: string | number, end: string | number = 1) =>
  `(left(audit_log_bound(audit_log_month(${month}))::text, 24) || lpad(to_hex(${end}), 12, '0'))::uuid`;

/** An entry of a month, as the values of audit_log. */
export const auditEntrySql = (month: string | number, tenantId: string | null, end: string | number = 1) =>
  `${auditIdSql(month, end)}, audit_log_month(${month}), 'x', NULL, NULL, ${tenantId ? `'${tenantId}'` : 'NULL'}::uuid,
   'project', 'x', NULL, 'x', '{}'::jsonb`;

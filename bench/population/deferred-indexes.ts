import type { Client } from 'pg';

/** The search among users by part of a name. Building it takes longer than all others together. */
const OMITTED = ['users_search_idx'];

/** Primary and unique keys before the foreign keys that refer to them. */
const CONSTRAINTS = `
  SELECT conname AS name, conrelid::regclass::text AS table, contype = 'f' AS "isForeign",
         pg_get_constraintdef(oid) || CASE WHEN contype = 'f' AND convalidated THEN ' NOT VALID' ELSE '' END
           AS definition
    FROM pg_constraint
   WHERE contype IN ('p', 'u', 'f')
     AND (conrelid = ANY($1::text[]::regclass[]) OR confrelid = ANY($1::text[]::regclass[]))
   ORDER BY contype = 'f', conname`;

const INDEXES = `
  SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
    FROM pg_index i
   WHERE i.indrelid = ANY($1::text[]::regclass[])
     AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u'))`;

interface Constraint {
  readonly name: string;
  readonly table: string;
  readonly isForeign: boolean;
  readonly definition: string;
}

/**
 * Drops the keys and indexes of tables, runs some work that fills them, and creates them again.
 * Foreign keys are not checked again, because the rows are known to be right.
 */
export async function withDeferredIndexes(
  client: Client,
  tables: readonly string[],
  fill: () => Promise<void>,
  say: (line: string) => void,
): Promise<void> {
  const constraints = (await client.query<Constraint>(CONSTRAINTS, [tables])).rows;
  const indexes = (await client.query<{ name: string; definition: string }>(INDEXES, [tables])).rows;
  for (const { name, table } of constraints.toReversed())
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  await fill();
  say('  creating indexes …');
  for (const { name, table, definition } of constraints.filter(({ isForeign }) => !isForeign))
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  for (const { name, definition } of indexes) if (!OMITTED.includes(name)) await client.query(definition);
  for (const { name, table, definition } of constraints.filter(({ isForeign }) => isForeign))
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
}

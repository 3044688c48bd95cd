import type { TestDatabase } from './database';

const TABLES = `
  SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname IN ('public', 'graphile_worker') ORDER BY 1`;

/** All rows of all tables as text, each after the name of its table. */
export async function databaseDump(database: TestDatabase): Promise<string[]> {
  const rows: string[] = [];
  for (const { name } of await database.query<{ name: string }>(TABLES)) {
    const found = await database.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
    rows.push(...found.map(({ text }) => `${name}: ${text}`));
  }
  return rows;
}

/** The tables with rows that contain one of these texts, in any case. */
export function tablesNaming(dump: readonly string[], texts: readonly string[]): string[] {
  const wanted = texts.map((text) => text.toLowerCase());
  const naming = dump.filter((row) => wanted.some((text) => row.toLowerCase().includes(text)));
  return [...new Set(naming.map((row) => row.slice(0, row.indexOf(':'))))].sort();
}

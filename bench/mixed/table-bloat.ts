import { rowsOf } from '../seed-data';

/** The tables that the mixed load changes. */
const TABLES = ['users', 'sessions', 'refresh_tokens'];

/** What updates have left behind. */
export interface Bloat {
  /** Dead rows of all tables, as autovacuum counts them. */
  readonly deadRows: number;
  /** Share of the bytes of the changed tables that dead rows take, in percent. */
  readonly deadPercent: number;
  /** Size of the database in MB. */
  readonly megabytes: number;
}

const MEASURE = `
  SELECT (SELECT sum(n_dead_tup)::float8 FROM pg_stat_user_tables) AS "deadRows",
         (SELECT 100 * sum(b.dead_tuple_len) / sum(b.table_len)
            FROM unnest($1::text[]) AS t (name), pgstattuple_approx(t.name::regclass) b)::float8 AS "deadPercent",
         pg_database_size(current_database())::float8 / 1e6 AS megabytes`;

/** @param url address for a superuser, of a database with the extension pgstattuple */
export async function bloatOf(url: string): Promise<Bloat> {
  const [bloat] = await rowsOf<Bloat>(url, MEASURE, [TABLES]);
  return bloat;
}

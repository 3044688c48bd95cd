import { rowsOf } from './seed-data';

/** What PostgreSQL did for one request, on average. */
export interface StatementCost {
  /** Milliseconds of execution. */
  readonly milliseconds: number;
  /** Pages of 8 kB that were touched, in memory or not. */
  readonly pages: number;
  /** Those that were not in PostgreSQL's memory. */
  readonly read: number;
  /** Bytes of write-ahead log, with the full pages after a checkpoint. */
  readonly wal: number;
}

const TOTALS = `
  SELECT coalesce(sum(total_exec_time), 0)::float8 AS milliseconds,
         coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 AS pages,
         coalesce(sum(shared_blks_read), 0)::float8 AS read, coalesce(sum(wal_bytes), 0)::float8 AS wal
    FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
   WHERE d.datname = current_database() AND s.userid = 'tenantry'::regrole`;

/**
 * Observes the statements of the service while requests are sent (pg_stat_statements).
 * @param url address of its database for a superuser
 * @param requests how many `send` sends
 */
export async function costOf(url: string, requests: number, send: () => Promise<unknown>): Promise<StatementCost> {
  await rowsOf(url, 'SELECT pg_stat_statements_reset()');
  await send();
  const [total] = await rowsOf<StatementCost>(url, TOTALS);
  return {
    milliseconds: total.milliseconds / requests,
    pages: total.pages / requests,
    read: total.read / requests,
    wal: total.wal / requests,
  };
}

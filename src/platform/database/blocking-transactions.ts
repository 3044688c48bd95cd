/** The `application_name` of the connections that migrate. */
export const MIGRATING = 'tenantry migrate';

/** A connection of PostgreSQL, as its owner may see it. */
export interface DatabaseSession {
  /** 0: a prepared transaction, which has no connection. */
  readonly pid: number;
  readonly role: string | null;
  readonly application: string | null;
  /** Null, as the next two: hidden from a role without `pg_read_all_stats`. */
  readonly state: string | null;
  /** The age of its transaction. */
  readonly seconds: number | null;
  readonly query: string | null;
}

/** What keeps a migration from a lock. */
export interface BlockingTransaction extends DatabaseSession {
  /** Identifies the transaction while it runs; null if it has ended. */
  readonly transaction: string | null;
}

export const SESSION_COLUMNS = `a.usename AS role, a.application_name AS application, a.state, a.query,
  extract(epoch FROM clock_timestamp() - a.xact_start)::int AS seconds`;

/** The transactions that the connections of `MIGRATING` wait for, the oldest first. */
export const BLOCKING_TRANSACTIONS = `
  SELECT blocking.pid, ${SESSION_COLUMNS}, own.virtualxid AS transaction
    FROM pg_stat_activity m
    CROSS JOIN LATERAL unnest(pg_blocking_pids(m.pid)) AS blocking (pid)
    LEFT JOIN pg_stat_activity a ON a.pid = blocking.pid
    LEFT JOIN pg_locks own ON own.pid = a.pid AND own.locktype = 'virtualxid' AND own.mode = 'ExclusiveLock'
   WHERE m.application_name = '${MIGRATING}' AND m.datname = current_database()
   ORDER BY seconds DESC NULLS FIRST`;

/** Which of the transactions `$1` still run. */
export const RUNNING_TRANSACTIONS = `
  SELECT DISTINCT virtualxid AS transaction FROM pg_locks WHERE locktype = 'virtualxid' AND virtualxid = ANY ($1)`;

/** Characters of a query that are shown. */
const QUERY_LENGTH = 80;

/** The start of a query: up to its first value or comment, which may contain personal data. */
export function startOfQuery(query: string): string {
  const [start] = query.split(/['$]|--|\/\*|(?<![\w"])[\d.]*\d/, 1);
  const words = start.replace(/\s+/g, ' ').trim();
  const isWhole = start.length === query.length && words.length <= QUERY_LENGTH;
  return isWhole ? words : `${words.slice(0, QUERY_LENGTH)}…`;
}

/** For example `pid 41 (role app, application psql, active, for 12 s): SELECT …`. */
export function describeSession({ pid, role, application, state, seconds, query }: DatabaseSession): string {
  if (pid === 0) return 'a prepared transaction (pg_prepared_xacts)';
  const isHidden = state === null;
  const facts = [
    role && `role ${role}`,
    application && `application ${application}`,
    isHidden ? 'pg_read_all_stats shows its age and query' : state,
    seconds !== null && `for ${seconds} s`,
  ];
  return `pid ${pid} (${facts.filter(Boolean).join(', ')})${query && !isHidden ? `: ${startOfQuery(query)}` : ''}`;
}

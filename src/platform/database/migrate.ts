import { runMigrations } from 'graphile-worker';
import { Client } from 'pg';
import type { DatabaseUrls } from '../../config/database-urls';
import { migrationDataSource, type EntityClass } from './database-options';
import { grantServiceRole, roleOf } from './grant-service-role';
import { setTenantScopeSql } from './set-tenant-scope';
import { EVERY_TENANT } from './tenant-scope';

/** An arbitrary number, the same for every process that migrates this service. */
const LOCK = 7_310_552_118;

/** Milliseconds between attempts to get the lock. */
const PAUSE_MS = 200;

/**
 * Migrates a database: the schema of the job queue, then ours, each migration in its own
 * transaction. Then the service's role, if it differs from the owner, is granted what it needs.
 * Several processes can run it at once: they take turns.
 * @param auditRetentionMonths months for which audit entries are kept; undefined: indefinitely
 * @returns the names of the migrations that ran
 */
export async function migrate(
  urls: DatabaseUrls,
  entities: readonly EntityClass[],
  auditRetentionMonths?: number,
): Promise<string[]> {
  const guard = new Client({ connectionString: urls.owner });
  await guard.connect();
  try {
    await untilLocked(guard);
    await runMigrations({ connectionString: urls.owner });
    const source = await migrationDataSource(urls.owner, entities).initialize();
    try {
      const taken = (await source.runMigrations()).map(({ name }) => name);
      await guard.query(retention(auditRetentionMonths));
      await guard.query(`BEGIN; ${setTenantScopeSql(EVERY_TENANT)}; ${RAISE_OFFSET}; COMMIT`);
      const [owner, service] = [await roleOf(urls.owner), await roleOf(urls.service)];
      if (owner !== service) await grantServiceRole(guard, service);
      return taken;
    } finally {
      await source.destroy();
    }
  } finally {
    await guard.end(); // releases the lock
  }
}

/**
 * The service may drop expired partitions of the audit log, but only the owner decides which are
 * expired: injected SQL cannot shorten the retention.
 */
const retention = (months?: number) => `
  CREATE OR REPLACE FUNCTION audit_log_retention_months() RETURNS integer LANGUAGE sql IMMUTABLE
  AS 'SELECT ${months ?? 'NULL'}::integer'`;

/**
 * After a restore into another cluster, whose transaction counter restarts, entries of the audit
 * log would get positions that audit streams have already passed. The offset is then raised beyond
 * the newest entries, with a distance for others of the same time.
 */
const RAISE_OFFSET = `
  DO $$
  DECLARE newest bigint;
  BEGIN
    newest := (SELECT max(position) FROM (SELECT position FROM audit_log ORDER BY id DESC LIMIT 1000) entries);
    IF newest >= audit_log_offset() + pg_snapshot_xmax(pg_current_snapshot())::text::bigint THEN
      EXECUTE format('CREATE OR REPLACE FUNCTION audit_log_offset() RETURNS bigint LANGUAGE sql IMMUTABLE
                      AS ''SELECT %s::bigint''', newest + 1000000);
    END IF;
  END $$`;

/**
 * Polls for the lock instead of waiting in a statement: CREATE INDEX CONCURRENTLY waits for every
 * statement that began before it.
 */
async function untilLocked(guard: Client): Promise<void> {
  const isLocked = async () =>
    (await guard.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [LOCK])).rows[0].locked;
  while (!(await isLocked())) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

import { runMigrations } from 'graphile-worker';
import { Pool, type PoolClient } from 'pg';
import type { DatabaseUrls } from '../../config/database-urls';
import { migrationConnection, migrationDataSource, type EntityClass } from './database-options';
import { grantServiceRole, roleOf } from './grant-service-role';
import { untilUnblocked, type Repetition } from './migration-attempts';
import { untilLocked } from './migration-lock';
import { MigrationWatch, type MigrationReport } from './migration-watch';
import { applyPending } from './pending-migrations';
import { setTenantScopeSql } from './set-tenant-scope';
import { EVERY_TENANT } from './tenant-scope';

/** Milliseconds for which one migration is repeated while others keep it from a lock. */
const PATIENCE_MS = 15 * 60_000;

/** What a run of the migrations may be given. */
interface MigrationOptions {
  /** Takes lines about what the run does and waits for. */
  readonly report?: MigrationReport;
  /** Milliseconds for which one migration is repeated; 15 minutes by default. */
  readonly patienceMs?: number;
}

/**
 * Migrates a database: the schema of the job queue, then ours, each migration in its own
 * transaction. Then the service's role, if it differs from the owner, is granted what it needs.
 * Several processes can run it at once: they take turns. A run that failed can be repeated.
 * @param auditRetentionMonths months for which audit entries are kept; undefined: indefinitely
 * @returns the names of the migrations that ran
 * @throws MigrationFailed, or MigrationBlocked by locks that another step did not get
 */
export async function migrate(
  urls: DatabaseUrls,
  entities: readonly EntityClass[],
  auditRetentionMonths?: number,
  { report = () => undefined, patienceMs = PATIENCE_MS }: MigrationOptions = {},
): Promise<string[]> {
  const source = await migrationDataSource(urls.owner, entities).initialize();
  const runner = source.createQueryRunner();
  const watch = new MigrationWatch(source, report);
  const by: Repetition = { watch, report, patienceMs };
  const repeated = (step: string, work: () => Promise<void>) =>
    untilUnblocked(step, () => watch.during(step, work), by);
  try {
    await untilLocked(runner, report);
    await repeated('The schema of the job queue', () => migrateJobQueue(urls.owner));
    const taken = await applyPending(source, runner, by);
    const connection = (await runner.connect()) as PoolClient;
    await repeated('The privileges of the service', () => finish(connection, urls, auditRetentionMonths));
    return taken;
  } finally {
    await runner.release();
    await source.destroy(); // releases the lock
  }
}

async function migrateJobQueue(url: string): Promise<void> {
  const pgPool = new Pool({ connectionString: url, max: 1, ...migrationConnection });
  for (const event of ['error', 'connect'] as const) pgPool.on(event, () => undefined); // else a warning is written
  try {
    await runMigrations({ pgPool });
  } finally {
    await pgPool.end();
  }
}

/** What every run sets, also if no migration is missing. */
async function finish(owner: PoolClient, urls: DatabaseUrls, auditRetentionMonths?: number): Promise<void> {
  await owner.query(`RESET lock_timeout; ${retention(auditRetentionMonths)}`);
  await owner.query(`${setTenantScopeSql(EVERY_TENANT)}; ${RAISE_OFFSET}`);
  const [ownerRole, serviceRole] = [await roleOf(urls.owner), await roleOf(urls.service)];
  if (ownerRole !== serviceRole) await grantServiceRole(owner, serviceRole);
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

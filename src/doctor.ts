import { Client } from 'pg';
import { InvalidSettings, processEnvironment } from './config/read-environment';
import type { KeyRing } from './config/key-ring';
import { readSettings, type Settings } from './config/settings';
import { ENTITY_CLASSES } from './entities';
import { EXPECTED_MIGRATIONS } from './platform/database/expected-migrations';
import { DATABASE_ROLE, type DatabaseRole } from './platform/database/database-role';
import { sealedColumnsOf } from './platform/database/sealed-column.decorator';
import { countSealedValues } from './platform/database/sealed-value-counts';
import { postureOf } from './platform/observability/security-posture';

const WAIT_MS = 5000;

/** A line of the report. `fail`: the service would not start, or not work. */
interface Line {
  readonly grade: 'pass' | 'warn' | 'fail';
  readonly what: string;
}

const NO_GRANTS: Line = {
  grade: 'fail',
  what: 'the role of DATABASE_URL lacks grants: npm run migrate with MIGRATION_DATABASE_URL',
};

/** Privileges that the service's role needs at least. */
const RIGHTS = `
  SELECT has_table_privilege('audit_log', 'UPDATE') OR has_table_privilege('audit_log', 'DELETE')
      OR has_table_privilege('audit_log', 'TRUNCATE')
      OR EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = 'audit_log'::regclass
                    AND has_table_privilege(i.inhrelid, 'UPDATE, DELETE, TRUNCATE')) AS "rewritesAuditLog",
         has_schema_privilege(current_schema(), 'CREATE') OR has_database_privilege(current_database(), 'CREATE')
      OR has_database_privilege(current_database(), 'TEMPORARY') AS creates,
         has_table_privilege('users', 'SELECT') AND has_schema_privilege('graphile_worker', 'USAGE') AS serves`;

/**
 * The command `npm run doctor`: checks the settings and the database as the service would, and
 * changes nothing.
 */
async function main(): Promise<void> {
  const lines = await report();
  for (const { grade, what } of lines) process.stdout.write(`${grade.padEnd(4)}  ${what}\n`);
  process.exitCode = lines.some(({ grade }) => grade === 'fail') ? 1 : 0;
}

async function report(): Promise<Line[]> {
  try {
    const settings = readSettings(processEnvironment('production'));
    const { role, lines } = await checkDatabase(settings);
    lines.push(...(await checkDirectAddress(settings)));
    const { warnings, exceptions } = postureOf(settings, role);
    const isRefused = settings.production && role?.bypasses;
    const posture = warnings.map((what): Line => ({
      grade: isRefused && what.includes('bypasses') ? 'fail' : 'warn',
      what,
    }));
    const named = exceptions.map((word): Line => ({ grade: 'warn', what: `ALLOW_INSECURE contains ${word}` }));
    return [{ grade: 'pass', what: 'the settings are valid' }, ...lines, ...posture, ...named];
  } catch (error) {
    if (error instanceof InvalidSettings) return error.problems.map((what) => ({ grade: 'fail', what }));
    throw error;
  }
}

const clientFor = (url: string) =>
  new Client({ connectionString: url, connectionTimeoutMillis: WAIT_MS, query_timeout: WAIT_MS });

/** The server and database that a connection has reached, and its role. */
const PLACE = `SELECT concat_ws(' ', pg_postmaster_start_time(), current_database(), current_user) AS place`;

/** Whether DATABASE_DIRECT_URL, if it is set, reaches the same database with the same role. */
async function checkDirectAddress({ database: { url, directUrl } }: Settings): Promise<Line[]> {
  if (directUrl === url) return [];
  try {
    const [pooled, direct] = [await placeOf(url), await placeOf(directUrl)];
    const grade = pooled === direct ? 'pass' : 'fail';
    const verb = pooled === direct ? 'reaches' : 'does not reach';
    return [{ grade, what: `DATABASE_DIRECT_URL ${verb} the database and role of DATABASE_URL` }];
  } catch (error) {
    return [{ grade: 'fail', what: `DATABASE_DIRECT_URL cannot be compared: ${(error as Error).message}` }];
  }
}

async function placeOf(url: string): Promise<string> {
  const client = clientFor(url);
  try {
    await client.connect();
    return (await client.query<{ place: string }>(PLACE)).rows[0].place;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function checkDatabase({ database, keys }: Settings): Promise<{ role?: DatabaseRole; lines: Line[] }> {
  const client = clientFor(database.url);
  try {
    await client.connect();
    const [role] = (await client.query<DatabaseRole>(DATABASE_ROLE)).rows;
    const lines: Line[] = [{ grade: 'pass', what: 'the database is reachable' }];
    const missing = await missingMigrations(client);
    if (missing === undefined) return { role, lines: [...lines, NO_GRANTS] };
    if (missing > 0)
      return { role, lines: [...lines, { grade: 'fail', what: `${missing} migrations are missing: npm run migrate` }] };
    lines.push({ grade: 'pass', what: 'all migrations are applied' });
    return { role, lines: [...lines, ...(await checkRights(client)), await checkKeys(client, keys.ring)] };
  } catch (error) {
    return { lines: [{ grade: 'fail', what: `the database cannot be used: ${(error as Error).message}` }] };
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function checkRights(client: Client): Promise<Line[]> {
  const [{ serves, creates, rewritesAuditLog }] = (await client.query<Record<string, boolean>>(RIGHTS)).rows;
  return [
    serves ? { grade: 'pass', what: 'the role of DATABASE_URL can read tables and jobs' } : NO_GRANTS,
    creates
      ? { grade: 'warn', what: 'the role of DATABASE_URL can create tables' }
      : { grade: 'pass', what: 'the role of DATABASE_URL cannot create tables' },
    rewritesAuditLog
      ? { grade: 'warn', what: 'the role of DATABASE_URL can change or delete audit log entries' }
      : { grade: 'pass', what: 'the role of DATABASE_URL can only append to the audit log' },
  ];
}

/** Whether SECRETS_KEYS has the keys of all sealed values. */
async function checkKeys(client: Client, ring: KeyRing): Promise<Line> {
  const counts = await countSealedValues(client, sealedColumnsOf(ENTITY_CLASSES));
  const missing = [...counts.keys()].filter((key) => !ring.some(({ id }) => id === key)).sort();
  return missing.length > 0
    ? { grade: 'fail', what: `SECRETS_KEYS lacks keys of sealed values (${missing.join(', ')}): npm run secrets` }
    : { grade: 'pass', what: 'SECRETS_KEYS has the keys of all sealed values' };
}

const MIGRATIONS = `
  SELECT to_regclass('migrations') AS table, has_table_privilege(to_regclass('migrations'), 'SELECT') AS readable`;

/** How many migrations are missing; undefined: the role may not know. */
async function missingMigrations(client: Client): Promise<number | undefined> {
  const [{ table, readable }] = (await client.query<{ table: string | null; readable: boolean | null }>(MIGRATIONS))
    .rows;
  if (!table) return EXPECTED_MIGRATIONS.length;
  if (!readable) return undefined;
  const applied = 'SELECT count(*)::int AS applied FROM migrations WHERE timestamp = ANY($1)';
  return (
    EXPECTED_MIGRATIONS.length -
    (await client.query<{ applied: number }>(applied, [EXPECTED_MIGRATIONS])).rows[0].applied
  );
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});

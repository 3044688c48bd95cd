import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSigningKey } from '../../dev/local-keys';
import { startPostgres, type EmbeddedPostgres } from '../../dev/embedded-postgres';
import { SERVICE_ROLE, serviceDatabase } from '../../dev/service-database';
import { ENTITY_CLASSES } from '../../src/entities';
import { migrate } from '../../src/platform/database/migrate';
import { query } from './database';
import { PgBouncer } from './pgbouncer-pooler';

const LIMITS = [
  "statement_timeout = '2s'",
  "lock_timeout = '1900ms'",
  "idle_in_transaction_session_timeout = '10s'",
  'jit = off',
];

const SHARED_MEMORY = '/dev/shm';
/** Twice what the databases of a run need at once, with their write-ahead log. */
const DATABASES_BYTES = 8 * 2 ** 30;

export interface TestServer {
  readonly folder: string;
  readonly postgres: EmbeddedPostgres;
  /** In front of it, in `npm run test:pgbouncer`. */
  readonly pooler?: PgBouncer;
}

declare global {
  var testServer: Promise<TestServer> | undefined;
}

/**
 * Starts one PostgreSQL for the run, with a migrated database that each test file copies. Several
 * Jest projects call this; the first call starts it.
 */
export default async function setUp(): Promise<void> {
  globalThis.testServer ??= start();
  await globalThis.testServer;
}

async function start(): Promise<TestServer> {
  const folder = mkdtempSync(join(fastFolder(), 'tenantry-test-'));
  chmodSync(folder, 0o755);
  const postgres = await startPostgres(folder, { throwaway: true });
  await migrate(await serviceDatabase(postgres, 'template'), ENTITY_CLASSES);
  process.env.TEST_RUN_ID = String(process.pid);
  process.env.TEST_SIGNING_KEY = newSigningKey();
  process.env.TEST_POSTGRES_PORT = String(postgres.port);
  process.env.TEST_POSTGRES_PASSWORD = new URL(postgres.url('postgres')).password;
  const pooler = process.env.TEST_PGBOUNCER ? await startPooler(folder, postgres) : undefined;
  return { folder, postgres, pooler };
}

/**
 * Shared memory, if the machine has plenty of it: to copy and delete databases of thousands of
 * files takes most disks longer than the service takes to start.
 */
function fastFolder(): string {
  if (!existsSync(SHARED_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(SHARED_MEMORY);
  return Math.min(bavail * bsize, freemem()) >= DATABASES_BYTES ? SHARED_MEMORY : tmpdir();
}

/** What the pool sets when it connects is set for the role instead (docs/scale.md). */
async function startPooler(folder: string, postgres: EmbeddedPostgres): Promise<PgBouncer> {
  for (const limit of LIMITS) await query('postgres', `ALTER ROLE ${SERVICE_ROLE} SET ${limit}`);
  const pooler = await PgBouncer.start(folder, postgres);
  process.env.TEST_POOLER_PORT = String(pooler.port);
  process.env.TEST_POOLER_PREPARES = String(pooler.prepares);
  return pooler;
}

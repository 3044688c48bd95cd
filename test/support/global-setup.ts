import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type EmbeddedPostgres } from '../../dev/embedded-postgres';
import { serviceDatabase } from '../../dev/service-database';
import { ENTITY_CLASSES } from '../../src/entities';
import { migrate } from '../../src/platform/database/migrate';

export interface TestServer {
  readonly folder: string;
  readonly postgres: EmbeddedPostgres;
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
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-test-'));
  chmodSync(folder, 0o755);
  const postgres = await startPostgres(folder, { throwaway: true });
  await migrate(await serviceDatabase(postgres, 'template'), ENTITY_CLASSES);
  process.env.TEST_RUN_ID = String(process.pid);
  process.env.TEST_POSTGRES_PORT = String(postgres.port);
  process.env.TEST_POSTGRES_PASSWORD = new URL(postgres.url('postgres')).password;
  return { folder, postgres };
}

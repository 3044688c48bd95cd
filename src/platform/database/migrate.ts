import { runMigrations } from 'graphile-worker';
import { Client } from 'pg';
import type { DatabaseUrls } from '../../config/settings';
import { migrationDataSource, type EntityClass } from './database-options';
import { grantToService, roleOf } from './service-role';

/** Any number; the same for everyone who migrates this service. */
const LOCK = 7_310_552_118;

/** How long the one before is left alone. */
const PAUSE_MS = 200;

/**
 * Brings a database up to date: the job queue's schema, then ours, each step in a transaction of
 * its own; then the service's role, where it is another than the owner, is granted what it needs.
 * Several at once are safe: they follow one another, and the later find nothing to do.
 * @returns the names of the steps that were taken
 */
export async function migrate(urls: DatabaseUrls, entities: readonly EntityClass[]): Promise<string[]> {
  const guard = new Client({ connectionString: urls.owner });
  await guard.connect();
  try {
    await untilLocked(guard);
    await runMigrations({ connectionString: urls.owner });
    const source = await migrationDataSource(urls.owner, entities).initialize();
    try {
      const taken = (await source.runMigrations()).map(({ name }) => name);
      const [owner, service] = [await roleOf(urls.owner), await roleOf(urls.service)];
      if (owner !== service) await grantToService(guard, service);
      return taken;
    } finally {
      await source.destroy();
    }
  } finally {
    await guard.end(); // gives the lock back
  }
}

/**
 * Asks again and again instead of waiting in a statement: an index that is made concurrently waits
 * for every statement that began before it.
 */
async function untilLocked(guard: Client): Promise<void> {
  const isLocked = async () =>
    (await guard.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [LOCK])).rows[0].locked;
  while (!(await isLocked())) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

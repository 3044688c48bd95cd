import { runMigrations } from 'graphile-worker';
import { Client } from 'pg';
import type { DatabaseUrls } from '../config/settings';
import { migrationDataSource, type EntityClass } from './database-options';
import { grantToService, roleOf } from './service-role';

/** Any number; the same for everyone who migrates this service. */
const LOCK = 7_310_552_118;

/**
 * Brings a database up to date: the job queue's schema, then ours, each step in a transaction of its own; then the service's role, where it is
 * another than the owner, is granted what it needs. Several at once are safe: they follow one another, and the later find nothing to do.
 * @returns the names of the steps that were taken
 */
export async function migrate(urls: DatabaseUrls, entities: readonly EntityClass[]): Promise<string[]> {
  const guard = new Client({ connectionString: urls.owner });
  await guard.connect();
  try {
    await guard.query('SELECT pg_advisory_lock($1)', [LOCK]);
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

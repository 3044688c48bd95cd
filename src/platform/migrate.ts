import { runMigrations } from 'graphile-worker';
import { Client } from 'pg';
import { migrationDataSource, type EntityClass } from './database-options';

/** Any number; the same for everyone who migrates this service. */
const LOCK = 7_310_552_118;

/**
 * Brings a database up to date: the job queue's schema, then ours, each step in a transaction of its own. Several at once are safe: they
 * follow one another, and the later find nothing to do.
 * @returns the names of the steps that were taken
 */
export async function migrate(url: string, entities: readonly EntityClass[]): Promise<string[]> {
  const guard = new Client({ connectionString: url });
  await guard.connect();
  try {
    await guard.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await runMigrations({ connectionString: url });
    const source = await migrationDataSource(url, entities).initialize();
    try {
      return (await source.runMigrations()).map(({ name }) => name);
    } finally {
      await source.destroy();
    }
  } finally {
    await guard.end(); // gives the lock back
  }
}

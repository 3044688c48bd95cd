import { hash } from '@node-rs/argon2';
import { Client } from 'pg';
import { PASSWORD } from '../seed-data';
import { copyRows } from './copy-rows';
import { withDeferredIndexes } from './deferred-indexes';
import type { Population } from './tenant-population';
import { rowsOfPopulation } from './population-rows';

/**
 * Fills a migrated, empty database by COPY. Indexes are created afterwards, except that of the
 * operators' search.
 * @param url address for a superuser
 */
export async function loadPopulation(url: string, population: Population, say: (line: string) => void): Promise<void> {
  const passwordHash = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const tables = rowsOfPopulation(population, passwordHash);
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`SET session_replication_role = replica; SET maintenance_work_mem = '512MB'`);
  const load = async () => {
    for (const { table, columns, rows } of tables) {
      const start = performance.now();
      await copyRows(client, `${table} (${columns})`, rows);
      say(`  ${population.users} users: ${table} loaded in ${((performance.now() - start) / 1000).toFixed(1)} s`);
    }
  };
  await withDeferredIndexes(
    client,
    tables.map(({ table }) => table),
    load,
    say,
  );
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
  await client.end();
}

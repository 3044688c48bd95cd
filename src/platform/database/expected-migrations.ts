import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The migrations of this build, by the timestamp in their file names, as the table `migrations`
 * stores them.
 */
export const EXPECTED_MIGRATIONS: readonly string[] = readdirSync(
  join(__dirname, '..', '..', '..', 'migrations'),
).flatMap((file) => /^(\d+)-[\w-]+\.(js|ts)$/.exec(file)?.[1] ?? []);

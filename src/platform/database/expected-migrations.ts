import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The migrations that this build brings, by the time in their file's name, as the database
 * remembers them.
 */
export const EXPECTED_MIGRATIONS: readonly string[] = readdirSync(
  join(__dirname, '..', '..', '..', 'migrations'),
).flatMap((file) => /^(\d+)-[\w-]+\.(js|ts)$/.exec(file)?.[1] ?? []);

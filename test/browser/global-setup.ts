import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The name of the variable with the folder of a run, in which each worker has local mode. */
export const RUN_FOLDER = 'BROWSER_TESTS_FOLDER';

/** Before all files: creates the folder of the run. */
export default function globalSetup(): void {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-browser-'));
  chmodSync(folder, 0o755); // PostgreSQL runs as another user if this runs as root
  process.env[RUN_FOLDER] = folder;
}

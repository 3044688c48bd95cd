import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { holderOf } from './local-lock';
import { outsideOf } from './postgres-user-and-binaries';

/** `npm run reset`: deletes all data of local mode. */
function reset(folder: string): string {
  if (!existsSync(folder)) return 'There is no data to delete.';
  if (holderOf(join(folder, 'local.pid'))) {
    process.exitCode = 1;
    return 'Local mode is running. Stop it first (Ctrl-C).';
  }
  for (const path of [outsideOf(folder), folder]) rmSync(path, { recursive: true, force: true });
  return 'All data was deleted. `npm start` creates a new database.';
}

process.stdout.write(`${reset(join(process.cwd(), '.data'))}\n`);

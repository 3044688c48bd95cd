import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RUN_FOLDER } from './global-setup';
import { stopLocalMode } from './local-mode-process';

/** After all files: stops what they have started. */
export default async function globalTeardown(): Promise<void> {
  const folder = process.env[RUN_FOLDER]!;
  await Promise.all(readdirSync(folder).map((name) => stopLocalMode(join(folder, name))));
  rmSync(folder, { recursive: true, force: true });
}

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Unique for this test run: all workers have the same parent process. */
export const ownBuild = (runId: number) => join(process.cwd(), '.data', `built-${runId}`);

/**
 * The folder of the built service: BUILT_SERVICE if it is set, otherwise one build for the whole
 * run, created by the first caller and deleted at the end of the run.
 */
export async function builtService(): Promise<string> {
  if (process.env.BUILT_SERVICE) return process.env.BUILT_SERVICE;
  const folder = ownBuild(Number(process.env.TEST_RUN_ID));
  const done = join(folder, '.done');
  mkdirSync(join(folder, '..'), { recursive: true });
  if (takesTurn(folder)) {
    const run = (...args: string[]) => promisify(execFile)(process.execPath, args);
    await run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noCheck', '--outDir', folder);
    await run('dev/copy-mail-templates.mjs', folder);
    writeFileSync(done, '');
  }
  while (!existsSync(done)) await pause(100);
  return folder;
}

/** The process that creates the folder builds the service. */
function takesTurn(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

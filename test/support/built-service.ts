import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Of this test run: all of its workers have one parent. */
export const ownBuild = (runId: number) => join(process.cwd(), '.data', `built-${runId}`);

/**
 * The folder of the built service: BUILT_SERVICE where that is set, else one build for all test
 * files of the run, made by the first that asks and taken away when the run ends.
 */
export async function builtService(): Promise<string> {
  if (process.env.BUILT_SERVICE) return process.env.BUILT_SERVICE;
  const folder = ownBuild(Number(process.env.TEST_RUN_ID));
  const done = join(folder, '.done');
  mkdirSync(join(folder, '..'), { recursive: true });
  if (takesTurn(folder)) {
    await promisify(execFile)(process.execPath, [
      'node_modules/typescript/bin/tsc',
      '-p',
      'tsconfig.build.json',
      '--outDir',
      folder,
    ]);
    writeFileSync(done, '');
  }
  while (!existsSync(done)) await pause(100);
  return folder;
}

/** Whoever makes the folder builds. */
function takesTurn(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

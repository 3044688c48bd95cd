import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Takes the lock of local mode, so that a second start in the same clone does not stop the database
 * of the first one. The lock of a killed process does not count.
 */
export function takeLock(file: string): () => void {
  while (!created(file)) {
    const holder = holderOf(file);
    if (holder) throw new Error(`Local mode is already running here (process ${holder}). Stop it first.`);
    rmSync(file, { force: true });
  }
  return () => rmSync(file, { force: true });
}

/** Creates the lock file atomically. @returns whether it did not exist */
function created(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** The process that holds the lock. undefined if local mode is not running. */
export function holderOf(file: string): number | undefined {
  const holder = existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
  return holder && isLocalMode(holder) ? holder : undefined;
}

/** Whether a process is local mode. Another program may have got its number. */
function isLocalMode(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || /start\.mjs|dev\/local/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}

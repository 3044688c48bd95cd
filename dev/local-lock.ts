import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Keeps a second start in the same clone from pulling the database away under the first. Survives a
 * kill -9: a dead holder does not count.
 */
export function takeLock(file: string): () => void {
  while (!created(file)) {
    const holder = holderOf(file);
    if (holder) throw new Error(`Local mode already runs here (process ${holder}). Stop it first.`);
    rmSync(file, { force: true });
  }
  return () => rmSync(file, { force: true });
}

/** Whether the file was not there, and now is with our number: of two at once, one succeeds. */
function created(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** The process of the local mode that holds the lock; undefined when none runs. */
export function holderOf(file: string): number | undefined {
  const holder = existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
  return holder && isLocalMode(holder) ? holder : undefined;
}

/** Whether a process is a local mode; its number alone may belong to anybody by now. */
function isLocalMode(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || /start\.mjs|dev\/local/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}

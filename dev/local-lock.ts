import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/** Keeps a second start in the same clone from pulling the database away under the first. Survives a kill -9: a dead holder does not count. */
export function takeLock(file: string): () => void {
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch {
      const holder = Number(readFileSync(file, 'utf8'));
      if (isLocalMode(holder)) throw new Error(`Local mode already runs here (process ${holder}). Stop it first.`);
      rmSync(file, { force: true });
    }
  }
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

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** Keeps a second start in the same clone from pulling the database away under the first. Survives a kill -9: a dead holder does not count. */
export function takeLock(file: string): () => void {
  const holder = existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
  if (holder && holder !== process.pid && isOurs(holder)) throw new Error(`Local mode already runs here (process ${holder}). Stop it first.`);
  writeFileSync(file, String(process.pid));
  return () => rmSync(file, { force: true });
}

function isOurs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || /start\.mjs|dev\/local/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}

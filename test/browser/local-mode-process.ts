import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;

/** The URLs of the parts of local mode, by their names on the start page. */
export type Places = Record<string, string>;

/** Starts local mode in a folder of its own, and waits until it is ready. */
export async function startLocalMode(folder: string, env: NodeJS.ProcessEnv): Promise<Places> {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755); // PostgreSQL runs as another user if this runs as root
  const log = join(folder, 'output.log');
  const output = openSync(log, 'a');
  const child = spawn(process.execPath, ['dist/dev/local.js'], {
    env: { ...process.env, LOCAL_FOLDER: folder, ...env },
    stdio: ['ignore', output, output],
  });
  child.unref(); // the files of a worker share it
  await eventually(() => isReady(child, log), 'local mode', START_TIMEOUT_MS);
  return placesOf(folder)!;
}

/** The places of local mode in a folder. undefined if it was not started there. */
export function placesOf(folder: string): Places | undefined {
  const file = join(folder, 'places.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Places) : undefined;
}

/** Stops local mode and deletes its folder. */
export async function stopLocalMode(folder: string): Promise<void> {
  const file = join(folder, 'local.pid');
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
  if (pid && signal(pid, 'SIGINT')) {
    const isGone = () => !signal(pid, 0) || undefined;
    await eventually(isGone, 'the end of local mode', STOP_TIMEOUT_MS).catch(() => signal(pid, 'SIGKILL'));
  }
  rmSync(folder, { recursive: true, force: true });
}

function isReady(child: ChildProcess, log: string): true | undefined {
  const printed = readFileSync(log, 'utf8');
  if (child.exitCode !== null) throw new Error(`Local mode did not start:\n${printed}`);
  return printed.includes('Press Ctrl-C to stop') || undefined;
}

/** @returns whether the process exists */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

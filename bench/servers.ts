import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../dev/free-port';

/** The issuer of the tokens that the drivers make; both servers believe in it. */
export const BASE_URL = 'http://localhost:3000';

/** A server under load, in a process of its own. */
export interface BenchServer {
  readonly name: 'floor' | 'service';
  readonly url: string;
  /** Resident memory in MB. */
  memory(): number;
  stop(): Promise<void>;
}

/** Starts the floor or the built service, with its default settings but for limits that a load from one address would run into. */
export async function startServer(name: BenchServer['name'], settings: NodeJS.ProcessEnv, folder: string): Promise<BenchServer> {
  const port = await freePort();
  const file = join(__dirname, name === 'floor' ? 'floor.js' : '../src/main.js');
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    ...settings,
    BASE_URL,
    PORT: String(port),
    RATE_LIMIT_PER_MINUTE: '10000000',
    LOGIN_MAX_FAILURES: '1000000',
  };
  const log = openSync(join(folder, `${name}.log`), 'a'); // written in full, as in life
  const child = spawn(process.execPath, ['--max-old-space-size=512', '--max-semi-space-size=8', file], { env, stdio: ['ignore', log, log] });
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}; see ${folder}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { name, url, memory: () => memoryOf(child), stop: () => stop(child) };
}

const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

function memoryOf({ pid }: ChildProcess): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

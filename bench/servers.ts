import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../dev/free-port';

/** The issuer of the tokens that the drivers make; both servers believe in it. */
export const BASE_URL = 'http://localhost:3000';

const FILES = { floor: 'floor.js', service: '../src/main.js', unguarded: 'service-without-plan-guard.js' };

/** A server under load, in a process of its own. */
export interface BenchServer {
  readonly name: keyof typeof FILES;
  readonly url: string;
  /** Resident memory in MB. */
  memory(): number;
  /** Milliseconds that it has computed so far, on all cores. */
  computed(): number;
  stop(): Promise<void>;
}

/**
 * Starts the floor or the built service, with its default settings but for limits that a load from
 * one address would run into.
 */
export async function startServer(
  name: BenchServer['name'],
  settings: NodeJS.ProcessEnv,
  folder: string,
): Promise<BenchServer> {
  const port = Number(settings.PORT) || (await freePort());
  const file = join(__dirname, FILES[name]);
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    BASE_URL,
    FRONTEND_URL: BASE_URL,
    ...settings,
    PORT: String(port),
    RATE_LIMIT_PER_MINUTE: '10000000',
    AUTH_RATE_LIMIT_PER_MINUTE: '10000000',
    LOGIN_MAX_FAILURES: '1000000',
  };
  const log = openSync(join(folder, `${name}.log`), 'a'); // written in full, as in life
  const child = spawn(process.execPath, ['--max-old-space-size=512', '--max-semi-space-size=8', file], {
    env,
    stdio: ['ignore', log, log],
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}; see ${folder}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { name, url, memory: () => memoryOf(child), computed: () => computedBy(child), stop: () => stop(child) };
}

/** The stand-in for the payment processor, in a process of its own. */
export interface BenchProcessor {
  readonly url: string;
  /** By which the service uses it. */
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts it with a subscription per tenant. */
export async function startProcessor(tenantIds: readonly string[], folder: string): Promise<BenchProcessor> {
  const file = join(folder, 'planted.json');
  writeFileSync(file, JSON.stringify(tenantIds));
  const log = openSync(join(folder, 'processor.log'), 'a');
  const args = ['--max-semi-space-size=2', '--max-old-space-size=100', join(__dirname, '../dev/stripe/server.js')];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PORT: '0', SEED: file },
    stdio: ['ignore', 'pipe', log],
  });
  const ready = new Promise<string>((resolve) => createInterface(child.stdout!).once('line', resolve));
  const ended = new Promise<never>((_, reject) =>
    child.once('exit', (code) => reject(new Error(`the stand-in ended with ${String(code)}; see ${folder}`))),
  );
  ended.catch(() => undefined); // it ends in the end
  const { url, settings } = JSON.parse(await Promise.race([ready, ended])) as Pick<BenchProcessor, 'url' | 'settings'>;
  return { url, settings, stop: () => stop(child) };
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

/**
 * The kernel counts in hundredths of a second (proc(5), utime and stime; the name before them is in
 * brackets).
 */
function computedBy({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

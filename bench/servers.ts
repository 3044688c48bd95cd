import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../dev/free-port';
import type { Arrivals } from './webhook-sink';

/** The issuer of the drivers' tokens, which both servers accept. */
export const BASE_URL = 'http://localhost:3000';

const FILES = {
  baseline: 'baseline-server.js',
  service: '../src/main.js',
  unguarded: 'service-without-plan-guard.js',
  'better-auth': '../../bench/peers/better-auth-server.mjs', // an ES module, which is not compiled
};

/** As in `npm run start:prod`. */
const NODE_ARGUMENTS = ['--max-old-space-size=512', '--max-semi-space-size=16', '--v8-pool-size=0'];

/** A server under load, in its own process. */
export interface BenchServer {
  readonly name: keyof typeof FILES;
  readonly url: string;
  /** Resident memory in MB. */
  memory(): number;
  /** CPU time so far in milliseconds, on all cores. */
  computed(): number;
  signal(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/**
 * Starts the baseline or the built service with default settings, except for limits that load from
 * one address would reach.
 */
export async function startServer(
  name: BenchServer['name'],
  settings: NodeJS.ProcessEnv,
  folder: string,
  nodeArguments: readonly string[] = [],
): Promise<BenchServer> {
  const port = Number(settings.PORT) || (await freePort());
  const file = join(__dirname, FILES[name]);
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    MALLOC_ARENA_MAX: '2', // as in npm run start:prod
    BASE_URL,
    FRONTEND_URL: BASE_URL,
    ...settings,
    PORT: String(port),
    RATE_LIMIT_PER_MINUTE: '10000000',
    AUTH_RATE_LIMIT_PER_MINUTE: '10000000',
    LOGIN_MAX_FAILURES: '1000000',
  };
  const log = openSync(join(folder, `${name}.log`), 'a'); // the full log is written, as in production
  const args = [...NODE_ARGUMENTS, ...nodeArguments, file];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', log, log] });
  stopWithParent(child);
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`${name} exited with ${child.exitCode}, see ${folder}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    name,
    url,
    memory: () => memoryOf(child),
    computed: () => cpuTimeOf(child),
    signal: (signal) => child.kill(signal),
    stop: () => stop(child),
  };
}

/** The stand-in for Stripe, in its own process. */
export interface BenchProcessor {
  readonly url: string;
  /** The settings with which the service uses it. */
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts the stand-in with a subscription for each tenant. */
export async function startProcessor(tenantIds: readonly string[], folder: string): Promise<BenchProcessor> {
  const file = join(folder, 'tenant-ids.json');
  writeFileSync(file, JSON.stringify(tenantIds));
  const log = openSync(join(folder, 'processor.log'), 'a');
  const args = ['--max-semi-space-size=2', '--max-old-space-size=100', join(__dirname, '../dev/stripe/server.js')];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PORT: '0', SEED: file },
    stdio: ['ignore', 'pipe', log],
  });
  stopWithParent(child);
  const ready = new Promise<string>((resolve) => createInterface(child.stdout!).once('line', resolve));
  const ended = new Promise<never>((_, reject) =>
    child.once('exit', (code) => reject(new Error(`the stand-in exited with ${String(code)}, see ${folder}`))),
  );
  ended.catch(() => undefined); // it exits at the end of the run
  const { url, settings } = JSON.parse(await Promise.race([ready, ended])) as Pick<BenchProcessor, 'url' | 'settings'>;
  return { url, settings, stop: () => stop(child) };
}

/** A receiver of webhooks, in its own process. */
export interface BenchSink {
  readonly url: string;
  /** Forgets what arrived, and closes requests that hang. */
  reset(): Promise<unknown>;
  /** What arrived, once it is so much. @throws if it takes longer */
  until(count: number, longestMs: number): Promise<Arrivals>;
  stop(): Promise<void>;
}

export async function startSink(folder: string): Promise<BenchSink> {
  const log = openSync(join(folder, 'sink.log'), 'a');
  const child = spawn(process.execPath, [join(__dirname, 'webhook-sink.js')], { stdio: ['ignore', 'pipe', log] });
  stopWithParent(child);
  const url = await new Promise<string>((resolve) => createInterface(child.stdout!).once('line', resolve));
  const arrivals = async (path = '') => (await (await fetch(`${url}${path}`)).json()) as Arrivals;
  const until = async (count: number, longestMs: number) => {
    const end = Date.now() + longestMs;
    for (;;) {
      const found = await arrivals();
      if (found.count >= count) return found;
      if (Date.now() > end) throw new Error(`${found.count} of ${count} webhooks arrived, see ${folder}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  return { url: `${url}/`, reset: () => arrivals('/reset'), until, stop: () => stop(child) };
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
 * CPU time in milliseconds. The kernel counts hundredths of a second (proc(5), utime and stime,
 * after the name in brackets).
 */
function cpuTimeOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** So that a run that fails leaves no server behind. */
function stopWithParent(child: ChildProcess): void {
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

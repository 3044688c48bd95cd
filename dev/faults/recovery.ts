import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceProcess } from '../chaos/service-process';
import type { Environment } from './environment';
import { waitUntil } from './wait-until';
import type { SimulatedUsers } from './simulated-users';

/**
 * Time limit for all instances to run a job again, and the number of jobs added at a time, so that
 * each instance gets one.
 */
const GIVE_UP_MS = 60_000;
const PROBES = 8;
const POLL_MS = 500;

/** Seconds since the end of a fault. undefined: not within a minute. */
export interface Recovery {
  /** Until every instance is ready. */
  readonly ready?: number;
  /** Until every instance has finished a job. */
  readonly worked?: number;
  /** Until a new user gets the mail of their registration. */
  readonly served?: number;
}

/** Waits until the service has recovered. Call it at the end of a fault. */
export async function recover(environment: Environment, users: SimulatedUsers): Promise<Recovery> {
  const start = performance.now();
  const secondsUntil = async (recovered: Promise<boolean>) =>
    (await recovered) ? (performance.now() - start) / 1000 : undefined;
  const [ready, worked, served] = await Promise.all([
    secondsUntil(areReady(environment, true, GIVE_UP_MS)),
    secondsUntil(allRunJobs(environment)),
    secondsUntil(waitUntil(() => isServed(users), GIVE_UP_MS)),
  ]);
  return { ready, worked, served };
}

/** Whether every instance reports this readiness within `withinMs`. */
export async function areReady({ services }: Environment, ready: boolean, withinMs: number): Promise<boolean> {
  const checks = services.map(({ address }) =>
    waitUntil(async () => (await statusOf(`${address}/api/v1/health/ready`)) === (ready ? 200 : 503), withinMs),
  );
  return (await Promise.all(checks)).every(Boolean);
}

async function allRunJobs({ services, queue }: Environment): Promise<boolean> {
  const before = await Promise.all(services.map(jobsDone));
  const deadline = performance.now() + GIVE_UP_MS;
  while (performance.now() < deadline) {
    await queue.add('database', PROBES).catch(() => undefined); // PostgreSQL may be starting
    await pause(POLL_MS);
    const now = await Promise.all(services.map(jobsDone));
    if (now.every((done, index) => done > before[index])) return true;
  }
  return false;
}

async function isServed(users: SimulatedUsers): Promise<boolean> {
  const email = await users.register();
  return email !== undefined && users.haveMail([email], GIVE_UP_MS);
}

/** The number of jobs that an instance has done, by its metrics. 0 without a response. */
async function jobsDone({ address }: ServiceProcess): Promise<number> {
  const text = await fetch(`${address}/metrics`, { signal: AbortSignal.timeout(5000) }).then(
    (response) => response.text(),
    () => '',
  );
  return [...text.matchAll(/^jobs_finished_total\{.*outcome="done"\} (\d+)/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}

const statusOf = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(5000) }).then(
    ({ status }) => status,
    () => 0,
  );

import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceProcess } from '../chaos/service-process';
import type { Environment } from './environment';
import { waitUntil } from './wait-until';
import type { SimulatedUsers } from './simulated-users';

/**
 * How long instances that work no job yet are waited for, and how many jobs they are given
 * during, so that there is one for each.
 */
const GIVE_UP_MS = 60_000;
const PROBES = 8;
const LOOK_MS = 500;

/** Seconds from the end of a fault; undefined: not within a minute. */
export interface Recovery {
  /** Until every instance says that it is ready. */
  readonly ready?: number;
  /** Until every instance has finished a job. */
  readonly worked?: number;
  /** Until somebody who registers has their mail. */
  readonly served?: number;
}

/** Looks from now, the end of a fault, until all is well. */
export async function recover(environment: Environment, users: SimulatedUsers): Promise<Recovery> {
  const start = performance.now();
  const when = async (isWell: Promise<boolean>) => ((await isWell) ? (performance.now() - start) / 1000 : undefined);
  const [ready, worked, served] = await Promise.all([
    when(areReady(environment, true, GIVE_UP_MS)),
    when(doAllWork(environment)),
    when(waitUntil(() => isServed(users), GIVE_UP_MS)),
  ]);
  return { ready, worked, served };
}

/** Whether every instance says so within some milliseconds. */
export async function areReady({ services }: Environment, ready: boolean, withinMs: number): Promise<boolean> {
  const looks = services.map(({ address }) =>
    waitUntil(async () => (await statusOf(`${address}/api/v1/health/ready`)) === (ready ? 200 : 503), withinMs),
  );
  return (await Promise.all(looks)).every(Boolean);
}

async function doAllWork({ services, queue }: Environment): Promise<boolean> {
  const before = await Promise.all(services.map(jobsDone));
  const deadline = performance.now() + GIVE_UP_MS;
  while (performance.now() < deadline) {
    await queue.add('database', PROBES).catch(() => undefined); // PostgreSQL may be starting
    await pause(LOOK_MS);
    const now = await Promise.all(services.map(jobsDone));
    if (now.every((done, index) => done > before[index])) return true;
  }
  return false;
}

async function isServed(users: SimulatedUsers): Promise<boolean> {
  const email = await users.register();
  return email !== undefined && users.haveMail([email], GIVE_UP_MS);
}

/** How many jobs an instance has done, by its metrics; none that cannot say. */
async function jobsDone({ address }: ServiceProcess): Promise<number> {
  const text = await fetch(`${address}/metrics`, { signal: AbortSignal.timeout(5000) }).then(
    (answer) => answer.text(),
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

import type { SeededRandom } from '../stripe/seeded-random';
import type { Fault } from './fault';
import { recover, type Recovery } from './recovery';
import type { Environment } from './environment';
import { RequestCounter } from './request-counter';
import { waitUntil } from './wait-until';
import { SimulatedUsers } from './simulated-users';

/**
 * From the end of a fault: all is well again; and everything that was acknowledged has had its
 * effect.
 */
const WELL_SECONDS = 15;
const ALL_DONE_MS = 60_000;
const BROKEN_SHOWN = 3;

/** What came of a fault. */
export interface Outcome extends Recovery {
  readonly fault: string;
  /**
   * Registrations, invitations and events that were acknowledged, and those of them without their
   * effect a minute later.
   */
  readonly acknowledged: number;
  readonly lost: number;
  readonly unavailable: number;
  readonly broken: number;
  /** What should not have happened; none: as wanted. */
  readonly wrong: readonly string[];
}

/** Lets a fault run a service that people use, and looks at what came of it. */
export async function runTrial(
  environment: Environment,
  { name, run, causesErrors, kills, stops }: Fault,
  id: string,
  random: SeededRandom,
): Promise<Outcome> {
  const counter = new RequestCounter(kills ? environment.services[0].address : undefined, stops);
  const users = await SimulatedUsers.gather(environment, counter, id, random);
  users.come();
  const wrong = await run(environment, users);
  const end = performance.now();
  const recovery = await recover(environment, users);
  await users.leave();
  const { mailed, taken, untaken } = users;
  const leftMs = () => ALL_DONE_MS - (performance.now() - end);
  const areMailed = await users.haveMail(mailed, leftMs());
  const isQueueDone = await waitUntil(async () => (await environment.queue.left()).length === 0, leftMs());
  const lost = (areMailed ? 0 : users.withoutMail()) + untaken + (await users.payments.unapplied(taken));
  const left = isQueueDone ? [] : await environment.queue.left(); // else what has just become due

  for (const [what, seconds = Infinity] of [
    ['ready', recovery.ready],
    ['jobs', recovery.worked],
    ['mails', recovery.served],
  ] as const)
    if (seconds > WELL_SECONDS) wrong.push(`${what} not within ${WELL_SECONDS} s`);
  if (lost > 0) wrong.push(`${lost} without their effect`);
  if (left.length > 0) wrong.push(`${left.length} jobs left behind (${left[0]})`);
  if (causesErrors && counter.unavailable === 0) wrong.push('nobody noticed');
  wrong.push(...counter.broken.slice(0, BROKEN_SHOWN));
  const acknowledged = mailed.length + taken.length;
  return {
    fault: name,
    acknowledged,
    lost,
    unavailable: counter.unavailable,
    broken: counter.broken.length,
    wrong,
    ...recovery,
  };
}

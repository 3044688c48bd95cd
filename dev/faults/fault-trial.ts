import type { SeededRandom } from '../stripe/seeded-random';
import type { Fault } from './fault';
import { recover, type Recovery } from './recovery';
import type { Environment } from './environment';
import { RequestCounter } from './request-counter';
import { waitUntil } from './wait-until';
import { SimulatedUsers } from './simulated-users';

/**
 * Time limits from the end of a fault: for the recovery, and for everything acknowledged to be
 * done.
 */
const RECOVERY_SECONDS = 15;
const ALL_DONE_MS = 60_000;
const BROKEN_SHOWN = 3;

/** The result of a trial. */
export interface Outcome extends Recovery {
  readonly fault: string;
  /**
   * Acknowledged registrations, invitations and events, and how many of them had no effect within a
   * minute.
   */
  readonly acknowledged: number;
  readonly lost: number;
  readonly unavailable: number;
  readonly broken: number;
  /** The failed checks. Empty if the trial passed. */
  readonly wrong: readonly string[];
}

/** Injects a fault while simulated users are active, and checks the outcome. */
export async function runTrial(
  environment: Environment,
  { name, run, causesErrors, kills, stops, isSlow }: Fault,
  id: string,
  random: SeededRandom,
): Promise<Outcome> {
  const counter = new RequestCounter({ killed: kills ? environment.services[0].address : undefined, stops, isSlow });
  const users = await SimulatedUsers.create(environment, counter, id, random);
  users.start();
  const wrong = await run(environment, users);
  const end = performance.now();
  const recovery = await recover(environment, users);
  await users.stop();
  const { mailed, accepted, rejected } = users;
  const leftMs = () => ALL_DONE_MS - (performance.now() - end);
  const areMailed = await users.haveMail(mailed, leftMs());
  const isQueueDone = await waitUntil(async () => (await environment.queue.left()).length === 0, leftMs());
  const lost = (areMailed ? 0 : users.withoutMail()) + rejected + (await users.payments.unapplied(accepted));
  // otherwise jobs that have just become due would be listed
  const left = isQueueDone ? [] : await environment.queue.left();

  for (const [what, seconds = Infinity] of [
    ['ready', recovery.ready],
    ['jobs', recovery.worked],
    ['mails', recovery.served],
  ] as const)
    if (seconds > RECOVERY_SECONDS) wrong.push(`${what} not within ${RECOVERY_SECONDS} s`);
  if (lost > 0) wrong.push(`${lost} acknowledged without effect`);
  if (left.length > 0) wrong.push(`${left.length} jobs left behind (${left[0]})`);
  if (causesErrors && counter.unavailable === 0) wrong.push('the fault caused no 503');
  wrong.push(...counter.broken.slice(0, BROKEN_SHOWN));
  const acknowledged = mailed.length + accepted.length;
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

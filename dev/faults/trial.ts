import type { SeededRandom } from '../stripe/seeded-random';
import type { Fault } from './fault';
import { recover, type Recovery } from './recovery';
import type { Stage } from './stage';
import { Tally } from './tally';
import { until } from './until';
import { Visitors } from './visitors';

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

/** Lets a fault befall a service that people use, and looks at what came of it. */
export async function suffer(
  stage: Stage,
  { name, befall, isFelt, kills, stops }: Fault,
  id: string,
  random: SeededRandom,
): Promise<Outcome> {
  const tally = new Tally(kills ? stage.services[0].address : undefined, stops);
  const visitors = await Visitors.gather(stage, tally, id, random);
  visitors.come();
  const wrong = await befall(stage, visitors);
  const end = performance.now();
  const recovery = await recover(stage, visitors);
  await visitors.leave();
  const { mailed, taken, untaken } = visitors;
  const leftMs = () => ALL_DONE_MS - (performance.now() - end);
  const areMailed = await visitors.haveMail(mailed, leftMs());
  const isQueueDone = await until(async () => (await stage.queue.left()).length === 0, leftMs());
  const lost = (areMailed ? 0 : visitors.withoutMail()) + untaken + (await visitors.payments.unapplied(taken));
  const left = isQueueDone ? [] : await stage.queue.left(); // else what has just become due

  for (const [what, seconds = Infinity] of [
    ['ready', recovery.ready],
    ['jobs', recovery.worked],
    ['mails', recovery.served],
  ] as const)
    if (seconds > WELL_SECONDS) wrong.push(`${what} not within ${WELL_SECONDS} s`);
  if (lost > 0) wrong.push(`${lost} without their effect`);
  if (left.length > 0) wrong.push(`${left.length} jobs left behind (${left[0]})`);
  if (isFelt && tally.unavailable === 0) wrong.push('nobody noticed');
  wrong.push(...tally.broken.slice(0, BROKEN_SHOWN));
  const acknowledged = mailed.length + taken.length;
  return {
    fault: name,
    acknowledged,
    lost,
    unavailable: tally.unavailable,
    broken: tally.broken.length,
    wrong,
    ...recovery,
  };
}

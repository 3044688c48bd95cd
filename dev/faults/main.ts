import { Random } from '../processor/random';
import { FAULTS, type Fault } from './faults';
import { Stage } from './stage';
import { Visitors } from './visitors';

const HONEST_MS = 15_000;

/** What came of a fault. */
interface Outcome {
  readonly fault: string;
  readonly acknowledged: number;
  /** Acknowledged registrations whose mail had not come a minute after the end of the fault. */
  readonly unserved: number;
  /** Answers of 5xx other than 503, and others that nobody asked for. */
  readonly broken: number;
  readonly unavailable: number;
  readonly secondsUntilServed: string;
  readonly wrong: string;
}

/** `npm run faults -- [short] [seed]`: whatever befalls the database, the mail server or a process, what was acknowledged is done soon after. */
async function main(): Promise<void> {
  const [first, ...rest] = process.argv.slice(3);
  const isShort = first === 'short';
  const seed = Number((isShort ? rest[0] : first) ?? 1);
  const random = new Random(seed);
  const faults = FAULTS.filter((fault) => fault.isShort || !isShort);
  process.stdout.write(`  Seed ${seed}, ${faults.length} faults\n`);
  const stage = await Stage.set();
  const outcomes: Outcome[] = [];
  try {
    for (const fault of faults) {
      const outcome = await suffer(stage, fault, outcomes.length, random);
      process.stdout.write(`  ${outcome.wrong ? 'WRONG' : 'ok'}  ${outcome.fault}, ${outcome.secondsUntilServed} s until served\n`);
      outcomes.push(outcome);
    }
  } finally {
    await stage.strike();
  }
  process.stdout.write(tableOf(outcomes));
  process.exitCode = outcomes.some(({ wrong }) => wrong !== '') ? 1 : 0;
}

async function suffer(stage: Stage, { name, befall }: Fault, index: number, random: Random): Promise<Outcome> {
  const visitors = new Visitors(stage, `v${index}`, random);
  visitors.come();
  const wrong = await befall(stage);
  const served = await visitors.untilServed();
  await visitors.leave();
  const unserved = await visitors.unserved();
  if (served === undefined) wrong.push('nobody is served any more');
  if (unserved > 0) wrong.push(`${unserved} never served`);
  if (visitors.broken > 0) wrong.push(`${visitors.broken} broken answers`);
  if (!(await stage.areAll(true, HONEST_MS))) wrong.push('not ready again');
  const { acknowledged, broken, unavailable } = visitors;
  const secondsUntilServed = served === undefined ? '-' : (served / 1000).toFixed(1);
  return { fault: name, acknowledged: acknowledged.length, unserved, broken, unavailable, secondsUntilServed, wrong: wrong.join('; ') };
}

function tableOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ fault, acknowledged, unserved, broken, unavailable, secondsUntilServed, wrong }) =>
    [fault, acknowledged, unserved, broken, unavailable, secondsUntilServed, wrong || 'as wanted'].join(' | '),
  );
  return ['', 'fault | acknowledged | without their mail | broken answers | 503 | seconds until served | verdict', ...rows, ''].join('\n');
}

main().catch((error: Error) => {
  process.stderr.write(`\n${error.stack}\n`);
  process.exit(1);
});

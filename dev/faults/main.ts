import { SeededRandom } from '../stripe/seeded-random';
import { FAULTS } from './all-faults';
import { Environment } from './environment';
import { killDuringWrites } from './killed-writes';
import { runTrial, type Outcome } from './fault-trial';

/** How often an instance is killed if no number is given. */
const KILLS = 40;

/**
 * `npm run faults -- [short | list | kills 1000 | part of a name] [--seed 7]`: injects faults into
 * the database, the mail server, Stripe and the processes. Whatever the service acknowledged must
 * be done within a minute, and it must recover within 15 seconds. docs/faults.md has the results.
 */
async function main(): Promise<void> {
  const [words, seed = '1'] = process.argv
    .slice(3)
    .join(' ')
    .split(/ ?--seed /);
  if (words === 'list') {
    process.stdout.write(FAULTS.map(({ name }) => `${name}\n`).join(''));
    return;
  }
  const kills = /^kills(?: (\d+))?$/.exec(words);
  if (kills) return killOften(Number(kills[1] ?? KILLS), new SeededRandom(Number(seed)));
  const faults = FAULTS.filter(({ name, isShort }) => (words === 'short' ? isShort : name.includes(words)));
  if (faults.length === 0) throw new Error(`No fault has "${words}" in its name. List all: npm run faults -- list`);
  process.stdout.write(`  Seed ${seed}, ${faults.length} faults\n`);
  const random = new SeededRandom(Number(seed));
  const environment = await Environment.start();
  const outcomes: Outcome[] = [];
  try {
    for (const [index, fault] of faults.entries()) {
      outcomes.push(await runTrial(environment, fault, `v${index}`, random));
      process.stdout.write(`  ${rowOf(outcomes.at(-1)!)}\n`);
    }
  } finally {
    await environment.stop();
  }
  const wrong = outcomes.filter((outcome) => outcome.wrong.length > 0).length;
  process.stdout.write(`\n  (${HEADINGS})\n  ${outcomes.length - wrong} passed, ${wrong} failed\n`);
  process.exitCode = wrong === 0 ? 0 : 1;
}

/** `npm run faults -- kills 1000`: kills an instance during writes with an Idempotency-Key. */
async function killOften(kills: number, random: SeededRandom): Promise<void> {
  const environment = await Environment.start();
  try {
    const wrong = await killDuringWrites(environment, kills, random, (line) => process.stdout.write(`  ${line}\n`));
    process.stdout.write(`  ${wrong.join('; ') || 'each write was executed once, and has one answer'}\n`);
    process.exitCode = wrong.length === 0 ? 0 : 1;
  } finally {
    await environment.stop();
  }
}

const HEADINGS =
  'fault | acknowledged | lost | 503 | broken | seconds until ready | until jobs run | until an email arrives | result';

function rowOf({ fault, acknowledged, lost, unavailable, broken, ready, worked, served, wrong }: Outcome): string {
  const seconds = [ready, worked, served].map((count) => count?.toFixed(1) ?? 'never');
  return [fault, acknowledged, lost, unavailable, broken, ...seconds, wrong.join('; ') || 'ok'].join(' | ');
}

main().catch((error: Error) => {
  process.stderr.write(`\n${error.stack}\n`);
  process.exit(1);
});

import { SeededRandom } from '../stripe/seeded-random';
import { FAULTS } from './all-faults';
import { Environment } from './environment';
import { runTrial, type Outcome } from './fault-trial';

/**
 * `npm run faults -- [short | list | words of a row's name] [--seed 7]`: whatever befalls the
 * database, the mail server, the processor or a process, what was acknowledged is done within a
 * minute, and all is well within 15 seconds. docs/faults.md has what was tried.
 */
async function main(): Promise<void> {
  const [words, seed = '1'] = process.argv
    .slice(3)
    .join(' ')
    .split(/ ?--seed /);
  if (words === 'list') return void process.stdout.write(FAULTS.map(({ name }) => `${name}\n`).join(''));
  const faults = FAULTS.filter(({ name, isShort }) => (words === 'short' ? isShort : name.includes(words)));
  if (faults.length === 0) throw new Error(`No row has "${words}" in its name; npm run faults -- list`);
  process.stdout.write(`  Seed ${seed}, ${faults.length} faults\n`);
  const random = new SeededRandom(Number(seed));
  const environment = await Environment.set();
  const outcomes: Outcome[] = [];
  try {
    for (const [index, fault] of faults.entries()) {
      outcomes.push(await runTrial(environment, fault, `v${index}`, random));
      process.stdout.write(`  ${rowOf(outcomes.at(-1)!)}\n`);
    }
  } finally {
    await environment.strike();
  }
  const wrong = outcomes.filter((outcome) => outcome.wrong.length > 0).length;
  process.stdout.write(`\n  (${HEADINGS})\n  ${outcomes.length - wrong} as wanted, ${wrong} not\n`);
  process.exitCode = wrong === 0 ? 0 : 1;
}

const HEADINGS =
  'fault | acknowledged | without effect | 503 | broken | seconds until ready | until jobs are worked | until a mail comes | verdict';

function rowOf({ fault, acknowledged, lost, unavailable, broken, ready, worked, served, wrong }: Outcome): string {
  const seconds = [ready, worked, served].map((count) => count?.toFixed(1) ?? 'never');
  return [fault, acknowledged, lost, unavailable, broken, ...seconds, wrong.join('; ') || 'as wanted'].join(' | ');
}

main().catch((error: Error) => {
  process.stderr.write(`\n${error.stack}\n`);
  process.exit(1);
});

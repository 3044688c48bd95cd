import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { allFiles, baseCommit, changedFiles } from './changed-files';
import { LINT_STEPS } from './lint-steps';
import { program, run, runSteps, type Outcome } from './check-steps';
import { selectTests } from './test-selection';

const JEST = 'node_modules/jest/bin/jest.js';
const TEST_FILE = /^(src|dev|bench|test\/(architecture|e2e|client|plans))\/.*\bspec\.ts$/;
/** Every test that starts the service imports these, so they would relate all to all. */
const APPLICATION = String.raw`/src/(app\.module|modules|entities)\.ts$`;

/**
 * `npm run check [-- <commit>]`: checks the change against main, or since another commit.
 * Continuous integration runs everything.
 */
async function main(): Promise<void> {
  const base = process.argv[2] ?? baseCommit();
  const changed = changedFiles(base);
  process.stdout.write(`  ${changed.length} files differ from ${base.slice(0, 8)}.\n`);
  if (changed.length === 0) return;
  await runSteps('check', [
    { name: 'tests', work: () => runTests(base, changed) },
    program('types', 'typescript/bin/tsc -b . panel sample'),
    program('borders', 'dependency-cruiser/bin/dependency-cruise.mjs src --config .dependency-cruiser.cjs'),
    ...LINT_STEPS,
  ]);
}

/** Asks Jest which tests are related to the change, and runs those that `selectTests` chooses. */
async function runTests(base: string, changed: readonly string[]): Promise<Outcome> {
  const related = await run([JEST, '--listTests', `--changedSince=${base}`, '--modulePathIgnorePatterns', APPLICATION]);
  if (!related.isOk) return related;
  const paths = related.output.split('\n').map((path) => relative(process.cwd(), path));
  const selection = selectTests(changed, new Set(paths), testFiles());
  process.stdout.write(
    `  ${selection.run.length} test files run; ${selection.left.length} related ones are left to CI.\n`,
  );
  return run([JEST, '--ci', '--runTestsByPath', ...selection.run]);
}

const testFiles = () =>
  allFiles()
    .filter((path) => TEST_FILE.test(path) && existsSync(path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

void main();

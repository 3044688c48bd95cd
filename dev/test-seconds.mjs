// `npm test` stores how long each file took; `npm run test:seconds` prints it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const STORED = 'node_modules/.cache/test-seconds.json';
const SLOWEST = 20;

/**
 * A reporter of Jest. Seconds of a file contain its hooks; those of the first file of a group also
 * the loading of modules.
 */
export default class TestSeconds {
  onRunComplete(_contexts, { testResults }) {
    const files = testResults.flatMap((result) => secondsByFile(result));
    mkdirSync(dirname(STORED), { recursive: true });
    writeFileSync(STORED, JSON.stringify(files));
  }
}

/** The seconds and the number of tests of each spec file that a test file of Jest consists of. */
function secondsByFile({ testFilePath, displayName, perfStats, testResults }) {
  const isGroup = testFilePath.endsWith('.group.js');
  const path = relative(process.cwd(), testFilePath);
  const files = new Map();
  let previous = perfStats.start;
  for (const { ancestorTitles, startAt, duration } of testResults.filter(({ startAt }) => startAt)) {
    const name = isGroup ? `test/${ancestorTitles[0]}` : path;
    const file = files.get(name) ?? { suite: displayName?.name ?? '', name, seconds: 0, tests: 0 };
    const end = startAt + (duration ?? 0);
    files.set(name, { ...file, seconds: file.seconds + (end - previous) / 1000, tests: file.tests + 1 });
    previous = end;
  }
  return [...files.values()];
}

/** Seconds, files and tests by suite, then the slowest files. */
function print() {
  const files = JSON.parse(readFileSync(STORED, 'utf8')).sort((a, b) => b.seconds - a.seconds);
  const suites = new Map();
  for (const { suite, seconds, tests } of files) {
    const sum = suites.get(suite) ?? { files: 0, tests: 0, seconds: 0 };
    suites.set(suite, { files: sum.files + 1, tests: sum.tests + tests, seconds: sum.seconds + seconds });
  }
  for (const [suite, { files: count, tests, seconds }] of suites)
    console.log(`${seconds.toFixed(0).padStart(6)} s  ${suite}: ${count} files, ${tests} tests`);
  console.log('');
  for (const { name, seconds, tests } of files.slice(0, SLOWEST))
    console.log(`${seconds.toFixed(1).padStart(6)} s  ${name} (${tests} tests)`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) print();

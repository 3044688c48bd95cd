import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const { projects } = jest.requireActual<{ projects: { displayName: string; transform: object }[] }>(
  '../../../jest.config.js',
);
const ROOT = join(__dirname, '../../..');
const SAMPLE = join(ROOT, 'test/samples/undocumented-response.sample.ts');

interface Report {
  readonly testResults: readonly [
    {
      readonly message: string;
      readonly assertionResults: readonly { title: string; status: string; failureMessages: string[] }[];
    },
  ];
}

/** Runs the sample as a suite of its own, on the PostgreSQL of this run. */
function runSample(): Report {
  const { transform } = projects.find(({ displayName }) => displayName === 'e2e')!;
  const config = { rootDir: ROOT, testMatch: [SAMPLE], transform };
  const jest = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/jest/bin/jest.js'),
      '--ci',
      '--json',
      '--testTimeout=20000',
      '--config',
      JSON.stringify(config),
    ],
    { encoding: 'utf8', cwd: ROOT },
  );
  return JSON.parse(jest.stdout) as Report;
}

describe('a response with a body or a header that the API document does not describe', () => {
  it('fails the test that requested it, and no other', () => {
    const tests = runSample().testResults[0].assertionResults;
    expect(tests.map(({ title, status }) => [title, status])).toEqual([
      ['that gets a documented response', 'passed'],
      ['that gets an undocumented response', 'failed'],
      ['that gets an undocumented header', 'failed'],
      ['that gets a documented response afterwards', 'passed'],
    ]);
    const messages = tests.map(({ failureMessages }) => failureMessages);
    expect(messages.map(({ length }) => length)).toEqual([0, 1, 1, 0]);
    expect(messages[1][0]).toContain('GET /api/v1/notes/wrong 200: data/data/text must be string');
    expect(messages[2][0]).toContain('GET /api/v1/notes/headed 200: Retry-After is not in the document');
  }, 60_000);
});

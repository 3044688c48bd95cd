// `npm run test:pgbouncer`: runs tests of the whole service with DATABASE_URL through a PgBouncer
// in transaction mode, and DATABASE_DIRECT_URL without it. Installs PgBouncer if it is missing
// (Debian, as root). Arguments replace the folders below.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { installIfNeeded } from './prepare.mjs';

// Not the tests of failures and of the connections themselves, which put their own proxies before
// the database or start processes with DATABASE_URL alone: test/e2e/platform, except some, and
// EXCEPT.
const AREAS = readdirSync('test/e2e').filter((area) => area !== 'platform');
const PLATFORM = [
  'data-retention',
  'entity-repository',
  'jobs-and-mail',
  'prepared-statements',
  'scheduler',
  'unit-of-work',
];
const TESTS = [
  ...AREAS.map((area) => `test/e2e/${area}/`),
  ...PLATFORM.map((name) => `test/e2e/platform/${name}.e2e-spec.ts`),
];
const EXCEPT = ['revocation-delivery', 'health-metrics-log', 'readiness'];

if (spawnSync('pgbouncer', ['--version']).status !== 0) {
  if (process.getuid?.() !== 0) throw new Error('PgBouncer is not installed; install it, or run this as root.');
  const install = ['install', '--yes', '--no-install-recommends', 'pgbouncer'];
  spawnSync('apt-get', install, { stdio: 'inherit' });
}
await installIfNeeded();
const given = process.argv.slice(2);
const paths = given.length > 0 ? given : [...TESTS, ...EXCEPT.map((name) => `--testPathIgnorePatterns=${name}`)];
const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...paths], {
  stdio: 'inherit',
  env: { ...process.env, TEST_PGBOUNCER: 'true' },
});
jest.on('exit', (code) => process.exit(code ?? 1));

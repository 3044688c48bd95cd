// `npm run test:browser`: installs and builds what is missing, then tests the pages of local mode
// in a real browser.
import { spawn } from 'node:child_process';
import { buildIfNeeded, installIfNeeded } from './prepare.mjs';

await installIfNeeded();
await buildIfNeeded('service', 'client', 'panel', 'sample');
const jest = spawn(
  process.execPath,
  ['node_modules/jest/bin/jest.js', '--config', 'jest.browser.config.mjs', '--maxWorkers=2', ...process.argv.slice(2)],
  {
    stdio: 'inherit',
  },
);
jest.on('exit', (code) => process.exit(code ?? 1));

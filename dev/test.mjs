// `npm test`: installs the packages if needed, then runs Jest with the same arguments. All tests
// run in groups; a selection of files runs file by file, as with `npx jest`.
import { spawn } from 'node:child_process';
import { installIfNeeded } from './prepare.mjs';

const SELECTION = /spec|test\/|testPathPatterns|findRelatedTests|changedSince|onlyChanged|onlyFailures/;

const given = process.argv.slice(2);
const config = given.some((argument) => SELECTION.test(argument)) ? [] : ['--config', 'jest.groups.config.mjs'];
await installIfNeeded();
const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...config, ...given], { stdio: 'inherit' });
jest.on('exit', (code) => process.exit(code ?? 1));

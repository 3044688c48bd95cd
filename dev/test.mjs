// `npm test`: installs the packages if needed, then runs Jest with the same arguments.
import { spawn } from 'node:child_process';
import { installIfNeeded } from './prepare.mjs';

await installIfNeeded();
const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...process.argv.slice(2)], { stdio: 'inherit' });
jest.on('exit', (code) => process.exit(code ?? 1));

// `npm run client:types`: makes the client's types anew from the API document of the service as it
// is now.
import { execFileSync } from 'node:child_process';
import { buildIfNeeded, installIfNeeded } from './prepare.mjs';

await installIfNeeded();
await buildIfNeeded('service');
const input = execFileSync(process.execPath, ['dist/dev/api-document.js']);
execFileSync(process.execPath, ['client/generate.mjs'], { input, stdio: ['pipe', 'inherit', 'inherit'] });
await buildIfNeeded('client');

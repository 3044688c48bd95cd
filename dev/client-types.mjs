// `npm run client:types`: writes the API document of the built service to client/openapi.json, and
// generates the client's types from it.
import { execFileSync } from 'node:child_process';
import { buildIfNeeded, installIfNeeded } from './prepare.mjs';

await installIfNeeded();
await buildIfNeeded('service');
const input = execFileSync(process.execPath, ['dist/dev/api-document.js']);
execFileSync(process.execPath, ['client/generate.mjs'], { input, stdio: ['pipe', 'inherit', 'inherit'] });
await buildIfNeeded('client');

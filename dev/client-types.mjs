// `npm run client:types`: writes the API document to client/openapi.json, and generates types from
// it. The service is compiled by swc while it is loaded, without a check of its types.
import { execFileSync } from 'node:child_process';
import { buildIfNeeded, installIfNeeded } from './prepare.mjs';

await installIfNeeded();
const input = execFileSync(process.execPath, ['--require', '@swc-node/register', 'dev/api-document.ts']);
execFileSync(process.execPath, ['client/generate.mjs'], { input, stdio: ['pipe', 'inherit', 'inherit'] });
await buildIfNeeded('client');

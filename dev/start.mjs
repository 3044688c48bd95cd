// `npm start`, and with another file of dist as argument whatever else needs the build: prepares the clone, then runs it in this process.
import { buildIfNeeded, installIfNeeded } from './prepare.mjs';

await installIfNeeded();
await buildIfNeeded();
await import(new URL(`../dist/${process.argv[2] ?? 'dev/local.js'}`, import.meta.url));

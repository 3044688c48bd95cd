// `npm start`, and with another file of dist as argument whatever else needs the service built:
// prepares the clone, then runs it in this process.
import { buildIfNeeded, installIfNeeded } from './prepare.mjs';

/** With the pages, or with the service alone. */
const NEEDS = {
  'dev/local.js': ['service', 'client', 'panel', 'sample'],
  'bench/run.js': ['service', 'client', 'panel'],
};

const [, , file = 'dev/local.js'] = process.argv;
await installIfNeeded();
await buildIfNeeded(...(NEEDS[file] ?? ['service']));
await import(new URL(`../dist/${file}`, import.meta.url));

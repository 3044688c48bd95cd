// `npm start`: installs and builds what is missing, then runs local mode in this process. With
// another file of dist as argument it runs that file.
import { buildIfNeeded, installIfNeeded } from './prepare.mjs';

/** What must be built for a file. Other files need the service only. */
const NEEDS = {
  'dev/local.js': ['service', 'client', 'panel', 'sample'],
  'bench/run.js': ['service', 'client', 'panel'],
};

const [, , file = 'dev/local.js'] = process.argv;
await installIfNeeded();
await buildIfNeeded(...(NEEDS[file] ?? ['service']));
await import(new URL(`../dist/${file}`, import.meta.url));

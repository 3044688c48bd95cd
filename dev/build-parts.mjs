// Builds all parts of local mode that have changed since the last build.
import { buildIfNeeded, installIfNeeded } from './prepare.mjs';

await installIfNeeded();
await buildIfNeeded('service', 'client', 'panel', 'sample');

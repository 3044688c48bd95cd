// Before a build: what is no longer in the sources must not stay in dist.
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });

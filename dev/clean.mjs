// Runs before a build, so that dist has no output of deleted sources.
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });

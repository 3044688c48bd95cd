import { readdirSync } from 'node:fs';
import { join } from 'node:path';

// Jest's own loader, so that classes are identical to those that the tests import.
const load = (file: string) => jest.requireActual<Record<string, unknown>>(file);

/** All exported values of the source files, without starting the service. */
export function exportsOfSource(): unknown[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        file.endsWith('.ts') && !file.endsWith('.spec.ts') && !/^(doctor|main|migrate|set-admin)\.ts$/.test(file),
    )
    .flatMap((file) => Object.values(load(join(process.cwd(), 'src', file))));
}

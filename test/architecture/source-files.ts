import { readdirSync } from 'node:fs';
import { join } from 'node:path';

// Jest's own loader, so that a class here is the class that the tests import.
const load = (file: string) => jest.requireActual<Record<string, unknown>>(file);

/** Every exported value of the service's source files, without starting anything. */
export function exportsOfSource(): unknown[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        file.endsWith('.ts') && !file.endsWith('.spec.ts') && !/^(doctor|main|migrate|set-admin)\.ts$/.test(file),
    )
    .flatMap((file) => Object.values(load(join(process.cwd(), 'src', file))));
}

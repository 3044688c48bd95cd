import { join } from 'node:path';
import './app'; // its hooks apply to each file of the group

/**
 * Requires spec files, each in a `describe` with its path. Modules are loaded once for all of them,
 * and what a file replaces by spies is restored at its end.
 * @param files paths below `test`
 */
export function describeFiles(files: string[]): void {
  for (const file of files)
    describe(file, () => {
      load(join(__dirname, '..', file));
      afterAll(() => jest.restoreAllMocks());
    });
}

/** A file that cannot be loaded fails alone. */
function load(path: string): void {
  try {
    jest.requireActual(path);
  } catch (error) {
    it('is loaded', () => {
      throw error;
    });
  }
}

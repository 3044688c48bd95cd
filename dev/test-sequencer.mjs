import { readFileSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';

/** Files with a large database, or a whole Jest of their own. */
const LONG = /statement-plans|generated-modules/;

/** Jest begins with large files. A group is a small file that stands for up to 12 files. */
export default class LongTestsFirst extends Sequencer {
  /** The longest files first, then groups by their number of files, then what Jest decides. */
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => lengthOf(b.path) - lengthOf(a.path));
  }
}

/** The number of spec files that a test file stands for. */
function lengthOf(path) {
  if (LONG.test(path)) return Number.MAX_SAFE_INTEGER;
  return path.endsWith('.group.js') ? readFileSync(path, 'utf8').split('\n').length : 0;
}

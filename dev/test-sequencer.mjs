import Sequencer from '@jest/test-sequencer';

/** Files with a large database, or a whole Jest of their own. */
const LONG = /statement-plans|generated-modules/;

/** Jest begins with large files. A group is a small file that stands for up to 16 files. */
export default class LongTestsFirst extends Sequencer {
  /** The longest files first, then groups, then what Jest decides. */
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => rankOf(b.path) - rankOf(a.path));
  }
}

const rankOf = (path) => (LONG.test(path) ? 2 : Number(path.endsWith('.group.js')));

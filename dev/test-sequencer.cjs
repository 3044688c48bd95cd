const { readFileSync } = require('node:fs');
const { default: Sequencer } = require('@jest/test-sequencer');

/** A file with several services, a large database, or a whole Jest of its own. */
const LONG = /statement-plans|generated-modules/;

/** Jest begins with large files. A group is a small file that stands for up to 12 files. */
module.exports = class LongTestsFirst extends Sequencer {
  /** Groups first, then the other long files, then what Jest decides. */
  sort(tests) {
    const rank = ({ path }) => (path.endsWith('.group.js') ? readFileSync(path, 'utf8').split('\n').length : 0);
    return [...super.sort(tests)].sort(
      (a, b) => rank(b) - rank(a) || Number(LONG.test(b.path)) - Number(LONG.test(a.path)),
    );
  }
};

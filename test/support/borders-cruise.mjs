// Cruises source trees in one process, which saves the start of the tool for each. Takes folders as
// arguments and prints the names of the broken rules of each, as JSON.
import { cruise } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { join } from 'node:path';

const broken = [];
for (const tree of process.argv.slice(2)) {
  process.chdir(tree);
  const options = await extractOptions(join(tree, '.dependency-cruiser.cjs'));
  const { output } = await cruise(['src'], { ...options, baseDir: tree, validate: true });
  broken.push([...new Set(output.summary.violations.map(({ rule }) => rule.name))]);
}
process.stdout.write(JSON.stringify(broken));

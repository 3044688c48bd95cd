// Jest evaluates all modules again for each test file. `npm test` therefore runs the files that
// start the service in groups: a group is one file for Jest, which requires up to 16 spec files.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const FILES_PER_GROUP = 16;

/**
 * Writes the groups of a suite. Files of one folder stay together, unless an order is given.
 * @param suite a folder of `test`
 * @param pattern matches the names of its spec files
 * @param order a seed: all files of the suite are shuffled, so that a file which depends on another
 *   one fails in some order
 * @returns the folder with the groups
 */
export function writeGroups(suite, pattern, order = process.env.TEST_ORDER) {
  const folder = resolve('.data/test-groups', order ? `${suite}-shuffled-${order}` : suite);
  mkdirSync(folder, { recursive: true });
  const found = readdirSync(join('test', suite), { recursive: true, encoding: 'utf8' })
    .filter((path) => pattern.test(path))
    .sort();
  const sets = order ? new Map([['shuffled', shuffled(found, order)]]) : byFolder(found, suite);
  const groups = new Map();
  for (const [name, files] of sets)
    for (const [index, group] of inGroups(files).entries())
      groups.set(`${name}-${index + 1}.group.js`, groupOf(folder, suite, group));
  for (const [file, content] of groups) writeIfChanged(join(folder, file), content);
  for (const file of readdirSync(folder)) if (!groups.has(file)) rmSync(join(folder, file), { force: true });
  return folder;
}

/** Another run in this folder may be reading the same file. */
function writeIfChanged(path, content) {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== content) writeFileSync(path, content);
}

function byFolder(paths, suite) {
  const folders = new Map();
  for (const path of paths) {
    const name = dirname(path) === '.' ? suite : dirname(path);
    folders.set(name, [...(folders.get(name) ?? []), path]);
  }
  return folders;
}

/** Groups of almost the same size. */
function inGroups(files) {
  const size = Math.ceil(files.length / Math.ceil(files.length / FILES_PER_GROUP));
  return Array.from({ length: Math.ceil(files.length / size) }, (_, index) =>
    files.slice(index * size, (index + 1) * size),
  );
}

function groupOf(folder, suite, files) {
  const support = relative(folder, resolve('test/support/test-group'));
  const paths = files.map((path) => `${suite}/${path}`);
  return `require('${support}').describeFiles(${JSON.stringify(paths)});\n`;
}

/** The same order for the same seed. */
function shuffled(files, seed) {
  const keyOf = (path) => createHash('sha256').update(`${seed} ${path}`).digest('hex');
  return [...files].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** So many test files that start the service are run: each takes seconds. */
export const AT_MOST = 8;

const STARTS_THE_SERVICE = /^test\/(e2e|client|plans)\//;
/** Imports other than Node's modules, helpers beside the test, dev and the parser. */
const LOADS_MORE = /from '(?!node:(?!child_process)|\.\/|\.\.\/\.\.\/dev\/|typescript')/;
const TEST_SUPPORT = /from '\.\.\/support\//;
/** Parts of paths that do not name the subject. */
const FOLDERS = ['commands', 'queries', 'http', 'data', 'domain', 'services', 'listeners'];
const VERBS = ['get', 'list', 'create', 'change'];
const COMMON = new Set([...FOLDERS, ...VERBS, 'src', 'test', 'e2e', 'support', 'dev', 'spec', 'ts', 'api']);

/** A test file with its text. */
export interface TestFile {
  readonly path: string;
  readonly text: string;
}

/** The test files of a check, and those that the change may affect but that only CI runs. */
export interface TestSelection {
  readonly run: readonly string[];
  readonly left: readonly string[];
}

/**
 * Chooses the tests of a change: changed tests, related tests that do not start the service,
 * architecture tests that read files only, and the nearest tests that start the service.
 * @param changed changed files
 * @param related tests that import a changed file, but not by the application module
 */
export function selectTests(
  changed: readonly string[],
  related: ReadonlySet<string>,
  tests: readonly TestFile[],
): TestSelection {
  const own = new Set(changed);
  const folders = new Set(changed.map((path) => /^src\/([^/]+)\//.exec(path)?.[1]).filter(Boolean));
  const words = new Set(changed.flatMap(wordsOf));
  const mayFail = tests.filter(
    (test) => own.has(test.path) || related.has(test.path) || readsFilesOnly(test) || folders.has(folderOf(test)),
  );
  const isNear = (test: TestFile) => !own.has(test.path) && isSlow(test);
  const nearest = mayFail
    .filter(isNear)
    .map(({ path }) => ({ path, shared: wordsOf(path).filter((word) => words.has(word)).length }))
    .sort((one, other) => other.shared - one.shared || (one.path < other.path ? -1 : 1))
    .map(({ path }) => path);
  const others = mayFail.filter((test) => !isNear(test)).map(({ path }) => path);
  return { run: [...others, ...nearest.slice(0, AT_MOST)], left: nearest.slice(AT_MOST) };
}

/** Whether the test starts the service, or a database. */
const isSlow = ({ path, text }: TestFile) =>
  STARTS_THE_SERVICE.test(path) || (path.startsWith('test/architecture/') && TEST_SUPPORT.test(text));

/** Whether no import shows which files could make the test fail. */
const readsFilesOnly = ({ path, text }: TestFile) => path.startsWith('test/architecture/') && !LOADS_MORE.test(text);

/** The module that an end-to-end test is about. */
const folderOf = ({ path }: TestFile) => /^test\/e2e\/([^/]+)\//.exec(path)?.[1];

/** The words in a path that name its subject, without the plural. */
function wordsOf(path: string): string[] {
  const words = path.split(/[-./]/).filter((word) => !COMMON.has(word));
  return [...new Set(words.map((word) => word.replace(/s$/, '')))];
}

import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { AnyClass } from './any-class';

const SOURCE_FILE = /(?<!\.spec|\.d)\.[jt]s$/;
const SRC = join(__dirname, '..');
/** The sources of this output, by their paths; undefined in the image, which has none. */
const sources = __filename.endsWith('.js') ? listSources(join(SRC, '..', '..', 'src')) : undefined;
const isClass = (value: unknown): value is AnyClass => typeof value === 'function' && value.prototype !== undefined;

function listSources(folder: string): ReadonlySet<string> | undefined {
  return existsSync(folder) ? new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' })) : undefined;
}

/** Whether a compiled file has lost its source: a watching compiler leaves it. */
const isStale = (file: string): boolean =>
  file.endsWith('.js') && sources !== undefined && !sources.has(file.replace(/js$/, 'ts'));

/**
 * The classes that a file exports, by name. Loads the file, which is known at start only.
 * @param file its absolute path
 */
export const exportedClasses = (file: string): AnyClass[] => exportedValues(file).filter(isClass);

function exportedValues(file: string): unknown[] {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import is async
  const exported = Object.entries(require(file) as Record<string, unknown>);
  return exported.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
}

/** The files of folders that have been listed: the start asks for those of `src` ten times. */
const listed = new Map<string, readonly string[]>();

/** The source files in the folders of a folder, sorted. Files beside the folders are left out. */
export function filesBelow(folder: string): readonly string[] {
  const files = listed.get(folder) ?? listFiles(folder);
  listed.set(folder, files);
  return files;
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => SOURCE_FILE.test(file) && file.includes(sep))
    .map((file) => join(folder, file))
    .filter((file) => !isStale(relative(SRC, file)))
    .sort();
}

/**
 * The exported classes of the files in the folders of `src`, which are loaded for it. Files beside
 * the folders are entry points and are not loaded.
 * @param folder only files in folders of this name, for example `domain`
 */
export function sourceClasses(folder?: string): AnyClass[] {
  const files = filesBelow(SRC).filter(
    (file) => folder === undefined || relative(SRC, file).split(sep).slice(1, -1).includes(folder),
  );
  return [...new Set(files.flatMap(exportedClasses))];
}

/** What the files `<name>.<part>.ts` in the folders of `src` export. Loads them. */
export const exportsOfFiles = (part: string): unknown[] =>
  filesBelow(SRC)
    .filter((file) => file.replace(/\.[jt]s$/, '').endsWith(`.${part}`))
    .flatMap(exportedValues);

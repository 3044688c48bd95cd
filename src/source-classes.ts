import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { AnyClass } from './platform/any-class';

const SOURCE_FILE = /(?<!\.spec|\.d)\.[jt]s$/;
/** Where the sources are when this is their output; absent in the image. */
const SOURCES = join(__dirname, '..', '..', 'src');
const isClass = (value: unknown): value is AnyClass => typeof value === 'function' && value.prototype !== undefined;

/** Whether a compiled file has lost its source: a watching compiler leaves it. */
const isStale = (file: string): boolean =>
  file.endsWith('.js') && existsSync(SOURCES) && !existsSync(join(SOURCES, file.replace(/js$/, 'ts')));

/** Loads a file, which is known at start only. */
function exportsOf(file: string): unknown[] {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import is async
  return Object.values(require(join(__dirname, file)) as Record<string, unknown>);
}

/**
 * The exported classes of the files in the folders of `src`, which are loaded for it. Files beside
 * the folders are entry points and are not loaded.
 * @param folder only files in folders of this name, for example `domain`
 */
export function sourceClasses(folder?: string): AnyClass[] {
  const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => SOURCE_FILE.test(file) && file.includes(sep))
    .filter((file) => folder === undefined || file.split(sep).slice(1, -1).includes(folder))
    .filter((file) => !isStale(file))
    .sort();
  return [...new Set(files.flatMap(exportsOf).filter(isClass))];
}

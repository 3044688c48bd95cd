import type { ChangeSet } from './change-set';

const FILE_NAMES = 'test/architecture/file-names.spec.ts';
const LIST = /(?<=const VERBS = words\(`\n)[a-z\s]+(?=`\))/;
const WIDTH = 118;

/** Adds a verb to those that commands may have, if it is new. */
export function addVerb(changes: ChangeSet, verb: string): void {
  const verbs = LIST.exec(changes.read(FILE_NAMES))?.[0].trim().split(/\s+/);
  if (!verbs) throw new Error(`${FILE_NAMES} has no list of verbs.`);
  if (!verbs.includes(verb)) changes.edit(FILE_NAMES, (text) => text.replace(LIST, lines([...verbs, verb].sort())));
}

function lines(words: readonly string[]): string {
  const wrapped: string[] = [];
  for (const word of words) {
    const last = wrapped.at(-1);
    if (last && `${last} ${word}`.length <= WIDTH) wrapped[wrapped.length - 1] = `${last} ${word}`;
    else wrapped.push(`  ${word}`);
  }
  return wrapped.join('\n');
}

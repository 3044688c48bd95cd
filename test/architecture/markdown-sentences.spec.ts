import { readFileSync } from 'node:fs';
import { trackedFiles } from './source-files';

/** The texts of others are kept as they are. */
const FOREIGN = /^test\/events\//;
const CODE_BLOCK = /^ *```[\s\S]*?^ *```/gm;
const TABLE_ROW = /^\s*\|/;
/** Parts of a line whose full stops do not end its sentence. */
const NESTED = /`[^`]*`|\([^)]*\)|"[^"]*"/g;
const SECOND_SENTENCE = /(?<=[a-z)_][.!?]) (?=[A-Z_[])/;

/** Lines of a document with more than one sentence, as `file: line`. */
function crowdedLines(file: string, markdown: string): string[] {
  const lines = markdown.replace(CODE_BLOCK, '').split('\n');
  return lines
    .filter((line) => !TABLE_ROW.test(line) && SECOND_SENTENCE.test(line.replace(NESTED, '_')))
    .map((line) => `${file}: ${line.trim()}`);
}

const documents = trackedFiles().filter((file) => file.endsWith('.md') && !FOREIGN.test(file));

describe('Markdown documents', () => {
  it('have one sentence per line', () => {
    expect(documents.length).toBeGreaterThan(70);
    expect(documents.flatMap((file) => crowdedLines(file, readFileSync(file, 'utf8')))).toEqual([]);
  });

  it.each([
    'One sentence. Another one.',
    '- A list item (with more. Text). Another one.',
    'Run `npm start`. Then look.',
  ])('would be refused with the line "%s"', (line) =>
    expect(crowdedLines('a', `One.\n${line}\n`)).toEqual([`a: ${line}`]),
  );

  it.each(['See `a. B` and "C. D" (e. F).', '| One. | Two. Three. |', '```\nOne. Two.\n```'])(
    'may have the line "%s"',
    (line) => expect(crowdedLines('a', `${line}\n`)).toEqual([]),
  );
});

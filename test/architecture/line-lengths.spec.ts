import { readFileSync } from 'node:fs';
import { trackedFiles } from './source-files';

const LONGEST_LINE = 120;
const LONGEST_COMMENT = 100;
/** Lines of a source file; most have 10 to 80. */
const MOST_LINES = 250;

/** Generated from the API document. */
const GENERATED = 'client/src/schema.ts';
/** An icon is one address, which cannot be wrapped. */
const ICON = /^\s*<link rel="icon" href="data:image\/svg\+xml,[^"]*" \/>$/;

const COMMENT = /^\s*(\/\/|\/?\*)/;
const HASH_COMMENT = /^\s*#/;

/** Lines that are too long, as `file:number`. */
function tooLong(file: string, text: string): string[] {
  const isHashed = file.endsWith('.env.example') || file === '.ci/run';
  const comment = isHashed ? HASH_COMMENT : COMMENT;
  return text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.length > (comment.test(line) ? LONGEST_COMMENT : LONGEST_LINE) && !ICON.test(line))
    .map(({ number }) => `${file}:${number}`);
}

const linesOf = (text: string) => text.split('\n').length - 1;

const FOLDERS = ['src', 'migrations', 'client', 'panel', 'sample', 'dev', 'bench', 'test'];
const ENDINGS = ['ts', 'tsx', 'mjs', 'html'];
const patterns = FOLDERS.flatMap((folder) => ENDINGS.map((ending) => `${folder}/*.${ending}`));
const sources = trackedFiles(...patterns, '.env.example', '.ci/run').filter((file) => file !== GENERATED);

describe('lines of files', () => {
  it(`have at most ${LONGEST_LINE} characters, and comments ${LONGEST_COMMENT}`, () => {
    for (const folder of FOLDERS) expect(sources.some((file) => file.startsWith(`${folder}/`))).toBe(true);
    expect(sources.flatMap((file) => tooLong(file, readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('would be refused beyond that', () => {
    const text = [`const a = '${'x'.repeat(107)}';`, `const a = '${'x'.repeat(108)}';`].join('\n');
    expect(tooLong('a.ts', text)).toEqual(['a.ts:2']);
    const comments = [`// ${'x'.repeat(97)}`, `// ${'x'.repeat(98)}`, `   * ${'x'.repeat(96)}`].join('\n');
    expect(tooLong('b.ts', comments)).toEqual(['b.ts:2', 'b.ts:3']);
    const hashes = [`# ${'x'.repeat(98)}`, `# ${'x'.repeat(99)}`].join('\n');
    expect(tooLong('.env.example', hashes)).toEqual(['.env.example:2']);
    const icon = `<link rel="icon" href="data:image/svg+xml,${'x'.repeat(200)}" />`;
    expect(tooLong('a.html', [icon, `${icon}<p>`].join('\n'))).toEqual(['a.html:2']);
  });
});

describe('source files', () => {
  it(`have at most ${MOST_LINES} lines`, () => {
    const long = sources.filter(
      (file) => /^src\/.*(?<!\.spec)\.ts$/.test(file) && linesOf(readFileSync(file, 'utf8')) > MOST_LINES,
    );
    expect(long).toEqual([]);
    expect(linesOf('a\n'.repeat(MOST_LINES + 1))).toBe(MOST_LINES + 1);
  });
});

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LONGEST_LINE = 120;
const LONGEST_COMMENT = 100;

/** Lines that are too long, as `file:number`. */
function tooLong(file: string, text: string): string[] {
  return text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.length > (/^\s*(\/\/|\/?\*)/.test(line) ? LONGEST_COMMENT : LONGEST_LINE))
    .map(({ number }) => `${file}:${number}`);
}

const sources = execFileSync('git', ['ls-files', 'src/*.ts'], { encoding: 'utf8' }).trim().split('\n');

describe('lines of source files', () => {
  it(`have at most ${LONGEST_LINE} characters, and comments ${LONGEST_COMMENT}`, () => {
    expect(sources.flatMap((file) => tooLong(file, readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('would be refused beyond that', () => {
    const text = [`const a = '${'x'.repeat(107)}';`, `const a = '${'x'.repeat(108)}';`].join('\n');
    expect(tooLong('a.ts', text)).toEqual(['a.ts:2']);
    const comments = [`// ${'x'.repeat(97)}`, `// ${'x'.repeat(98)}`, `   * ${'x'.repeat(96)}`].join('\n');
    expect(tooLong('b.ts', comments)).toEqual(['b.ts:2', 'b.ts:3']);
  });
});

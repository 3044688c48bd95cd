import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { trackedFiles } from './source-files';

const tracked = trackedFiles();
const documents = tracked.filter((file) => file.endsWith('.md') && !file.startsWith('test/events/'));
const code = tracked.filter(
  (file) => /\.(ts|tsx|mjs|cjs|js)$/.test(file) && !/schema\.ts$|document-references\.spec\.ts$/.test(file),
);
const textOf = (file: string) => readFileSync(file, 'utf8');

const withoutCode = (markdown: string) => markdown.replace(/^```[\s\S]*?^```/gm, '');
const headingsOf = (markdown: string) =>
  [...withoutCode(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading.trim());
/** The anchor that a heading gets when it is rendered. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replace(/ /g, '-');

/** Links of a document to files or headings that do not exist. */
function brokenLinks(file: string, markdown: string): string[] {
  const links = [...withoutCode(markdown).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    ([, link, source]) => link ?? source,
  );
  return links.filter((link) => {
    if (/^(https?|mailto):/.test(link)) return false;
    const [path, anchor] = link.split('#');
    const target = path ? normalize(join(dirname(file), path)) : file;
    if (!existsSync(target)) return true;
    return (
      anchor !== undefined &&
      !headingsOf(path ? textOf(target) : markdown)
        .map(anchorOf)
        .includes(anchor)
    );
  });
}

/** Paths in backticks that do not exist. */
function missingPaths(file: string, markdown: string): string[] {
  const spans = [...withoutCode(markdown).matchAll(/`([^`\n]+)`/g)].map(([, span]) => span);
  const FOLDERS = /^(src|dev|test|docs|migrations|client|panel|sample|bench|\.github|\.githooks|\.ci)\//;
  const isThere = (path: string) => existsSync(path) || existsSync(join(dirname(file), path));
  return spans.filter((span) => FOLDERS.test(span) && !/[*<{…\s]/.test(span) && !isThere(span.replace(/\/$/, '')));
}

/** Text with the line breaks of comments removed, so that a reference is in one piece. */
const unwrapped = (source: string) => source.replace(/\n\s*(\*|\/\/)?\s*/g, ' ');

/** References such as `docs/contract.md, Checkout` to headings that do not exist. */
function missingHeadings(source: string): string[] {
  const references = unwrapped(source).matchAll(/(docs\/[\w/-]+\.md)((?:, [A-Z][\w' -]*[\w'])+)/g);
  return [...references].flatMap(([, file, headings]) =>
    existsSync(file)
      ? headings
          .slice(2)
          .split(', ')
          .filter((heading) => !headingsOf(textOf(file)).includes(heading))
          .map((heading) => `${file}, ${heading}`)
      : [file],
  );
}

/** References to contract or specification that name no heading. */
const vagueReferences = (source: string) =>
  unwrapped(source).match(/\b(contract|specification),? sections? \d+|\((contract|specification)[,:] /g) ?? [];

/** Documents and decisions that are named and not in the repository. */
function missingDocuments(source: string): string[] {
  const files = [...source.matchAll(/[\w./-]*\w\.md\b/g)].map(([name]) => name.replace(/^(\.\.?\/)+/, ''));
  const decisions = [...unwrapped(source).matchAll(/\bdecisions? (\d+)/g)].map(([, number]) => number.padStart(4, '0'));
  return [
    ...files.filter((name) => !tracked.some((file) => file === name || file.endsWith(`/${name}`))),
    ...decisions.filter((number) => !documents.some((file) => file.startsWith(`docs/decisions/${number}-`))),
  ];
}

/** Rows of tables with another number of cells than the heading. */
function unevenRows(markdown: string): string[] {
  const cells = (row: string) => row.replace(/\\\|/g, '').split('|').length;
  const tables = withoutCode(markdown).match(/(^\|.*\n?)+/gm) ?? [];
  return tables.flatMap((table) => {
    const [heading, ...rows] = table.trim().split('\n');
    return rows.filter((row) => cells(row) !== cells(heading));
  });
}

const complaints = (files: string[], check: (text: string, file: string) => string[]) =>
  files.flatMap((file) => check(textOf(file), file).map((complaint) => `${file}: ${complaint}`));

describe('documents', () => {
  it('link to files and headings that exist', () => {
    expect(complaints(documents, (text, file) => brokenLinks(file, text))).toEqual([]);
  });

  it('name paths that exist', () => {
    expect(complaints(documents, (text, file) => missingPaths(file, text))).toEqual([]);
  });

  it('are in the repository if code or documents name them', () => {
    expect(complaints([...code, ...documents], missingDocuments)).toEqual([]);
  });

  it('have the headings that code names', () => {
    expect(complaints(code, missingHeadings)).toEqual([]);
    expect(complaints([...code, ...documents], vagueReferences)).toEqual([]);
  });

  it('have tables whose rows have as many cells as the heading', () => {
    expect(complaints(documents, unevenRows)).toEqual([]);
  });

  it('would be refused with a broken reference', () => {
    expect(unevenRows('| a | b |\n|---|---|\n| 1 |\n| 1 | 2 \\| 3 |\n')).toEqual(['| 1 |']);
    expect(brokenLinks('README.md', '[a](docs/none.md) [b](docs/contract.md#none) [c](#none)')).toHaveLength(3);
    expect(brokenLinks('README.md', '[a](docs/contract.md#checkout)')).toEqual([]);
    expect(missingPaths('README.md', '`src/edge/page.ts`, `src/app.ts`')).toEqual(['src/edge/page.ts']);
    expect(missingDocuments('see facts.md, decision 99 and docs/contract.md')).toEqual(['facts.md', '0099']);
    expect(missingHeadings('/** A (docs/contract.md, Checkout\n * and Dessert). */')).toHaveLength(1);
    expect(vagueReferences('(contract\n * section 5), (specification, States)')).toHaveLength(2);
    expect(missingHeadings('/** A (docs/contract.md, Refresh,\n * Sync). */')).toEqual([]);
  });
});

describe('the license', () => {
  const STATEMENT = 'UNLICENSED: all rights reserved until the owner chooses';

  it('is stated the same in packages, README and API document', () => {
    for (const folder of ['.', 'client', 'panel', 'sample']) {
      expect(JSON.parse(textOf(join(folder, 'package.json')))).toMatchObject({ license: 'UNLICENSED' });
    }
    expect(textOf('README.md')).toContain(STATEMENT);
    expect(textOf('src/http/openapi/openapi-document.ts')).toContain(STATEMENT);
  });
});

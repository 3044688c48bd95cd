import { readFileSync } from 'node:fs';
import { getMetadataArgsStorage } from 'typeorm';
import { ENTITY_CLASSES } from '../../src/entities';

/** The tables of all entities. */
const tables = getMetadataArgsStorage()
  .tables.filter(({ target }) => (ENTITY_CLASSES as unknown[]).includes(target))
  .map(({ name }) => name ?? '');

/** The tables that a row of "What bounds each table" names. */
function boundedIn(markdown: string): string[] {
  const section = markdown.split('**What bounds each table.**')[1]?.split('\n### ')[0] ?? '';
  const firstCells = section.split('\n').flatMap((line) => /^\|([^|]*)\|/.exec(line)?.[1] ?? []);
  return firstCells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ''));
}

describe('docs/scale.md', () => {
  it('says what bounds each table', () => {
    const bounded = boundedIn(readFileSync('docs/scale.md', 'utf8'));
    expect(tables.length).toBeGreaterThan(0);
    expect(tables.filter((table) => !bounded.includes(table))).toEqual([]);
  });

  it('would miss a table that only other columns name', () => {
    const page = '**What bounds each table.**\n\n| `users` | `others` | – |\n';
    expect(boundedIn(page)).toEqual(['users']);
  });
});

import { readFileSync } from 'node:fs';
import * as ts from 'typescript';
import { nodesIn, parse } from '../../dev/make/text-edits';
import { trackedFiles } from './source-files';

/**
 * The texts in a source file that read the connections of the whole server, without those of one
 * database.
 */
const unlimited = (text: string): string[] =>
  nodesIn(parse(text), (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node))
    .map((node) => node.getText())
    .filter((sql) => sql.includes('pg_stat_activity') && !sql.includes('datname = current_database()'));

/** Suites run at the same time, each with a database of its own on the same server. */
describe('Tests', () => {
  it('look at connections of their own database only, and end no others', () => {
    const files = trackedFiles('test').filter(
      (file) => file.endsWith('.ts') && file !== 'test/architecture/shared-server.spec.ts',
    );
    const read = files.filter((file) => readFileSync(file, 'utf8').includes('pg_stat_activity'));
    expect(read.length).toBeGreaterThan(0);
    expect(read.flatMap((file) => unlimited(readFileSync(file, 'utf8')).map((sql) => `${file}: ${sql}`))).toEqual([]);
  });

  it.each([
    ['"SELECT FROM pg_stat_activity WHERE datname = current_database()"', 0],
    ['"SELECT FROM pg_stat_activity"', 1],
    ['`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ${role}`', 1],
    ['`SELECT FROM pg_stat_activity WHERE datname = current_database() AND usename = ${role}`', 0],
  ])('%s is found %d times', (text, times) => expect(unlimited(text)).toHaveLength(times));
});

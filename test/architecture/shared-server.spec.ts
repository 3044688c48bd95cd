import { readFileSync } from 'node:fs';
import * as ts from 'typescript';
import { trackedFiles } from './source-files';

/**
 * The texts in a source file that read the connections of the whole server, without those of one
 * database.
 */
function unlimited(text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const sql = node.getText();
      if (sql.includes('pg_stat_activity') && !/datname = current_database\(\)/.test(sql)) found.push(sql);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('sample.ts', text, ts.ScriptTarget.Latest, true));
  return found;
}

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

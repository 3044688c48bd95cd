import { readFileSync } from 'node:fs';
import * as ts from 'typescript';
import { nodesIn, parse } from '../../dev/make/text-edits';
import { trackedFiles } from './source-files';

/** A place that sends SQL as text. */
interface Place {
  readonly file: string;
  readonly line: number;
}

/**
 * The most places per kind (docs/decisions/0027-typeorm-and-sql.md). Entities are made, found,
 * changed and deleted through EntityRepository. Lower a number when a place goes.
 */
const CEILINGS: Record<string, number> = {
  // queries that read straight into a view
  views: 11,
  // the platform's own tables: jobs, heartbeats, mail limits, idempotency keys, health
  platform: 19,
  // all others: one statement decides a race, is hot, or needs PostgreSQL
  changes: 37,
};

function kindOf({ file }: Place): string {
  if (/^src\/(platform|http\/health)\//.test(file)) return 'platform';
  return /\/queries\//.test(file) ? 'views' : 'changes';
}

/** Not counted: what builds statements for all, and commands that run beside the service. */
const EXEMPT = /^src\/(platform\/database\/|doctor\.ts|migrate\.ts|set-admin\.ts)|\.spec\.ts$/;

/** Methods that take SQL, whatever they are called on. */
const METHODS = new Set(['query', 'queryInTenant', 'readInTenant', 'readOrQuery']);

const MAY_SEND_SQL = new RegExp(`\\b(${[...METHODS, 'read', 'write'].join('|')})\\b`);

/** `read` and `write` are also names of other methods. */
const isSqlCall = (callee: ts.Expression): boolean =>
  ts.isPropertyAccessExpression(callee) &&
  (METHODS.has(callee.name.text) || /\b(database\.read|unitOfWork\.write)$/.test(callee.getText()));

function rawSqlIn(file: string, text: string): Place[] {
  if (!MAY_SEND_SQL.test(text)) return []; // reading it as TypeScript takes longer
  const source = parse(text);
  return nodesIn(source, ts.isCallExpression)
    .filter(({ expression }) => isSqlCall(expression))
    .map((call) => ({ file, line: source.getLineAndCharacterOfPosition(call.getStart()).line + 1 }));
}

const files = trackedFiles('src').filter((file) => file.endsWith('.ts') && !EXEMPT.test(file));

describe('Statements written in SQL', () => {
  const places = files.flatMap((file) => rawSqlIn(file, readFileSync(file, 'utf8')));

  it.each(Object.entries(CEILINGS))('of the kind "%s" are sent from %d places at most', (kind, most) => {
    const counted = places.filter((place) => kindOf(place) === kind);
    expect(counted.length).toBeGreaterThan(0);
    expect(counted.length > most ? counted.map(({ file, line }) => `${file}:${line}`) : []).toEqual([]);
  });

  it.each([
    ['this.unitOfWork.query(SQL, [])', 1],
    ['this.unitOfWork.query<{ id: string }>(SQL, [])', 1],
    ['this.database.read<Row>(SQL, [])', 1],
    ['database.readInTenant(actor, SQL, [])', 1],
    ['this.unitOfWork.write(SQL, [])', 1],
    ['response.write(text)', 0],
    ['this.database.readOrQuery<Row>(SQL, [])', 1],
    ['manager.query(SQL)', 1],
    ['this.database.query(A, []); this.unitOfWork.query(B, [])', 2],
    ['await this.unitOfWork.write(SQL, [])', 1],
    ['this.cookies.read(request)', 0],
    ['this.write(tenantId)', 0],
    ['this.rows.findOneBy({ id })', 0],
  ])('%s is found %d times', (text, times) => expect(rawSqlIn('sample.ts', text)).toHaveLength(times));
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';

const LOG_CALL = /(^|\.)log(\.(fatal|error|warn|info|debug)|\[.+\])$/;
const EVENT = /^\w+\.\w+$/;

/** Log calls without a stable event, or whose message ends with a period: `file:line`. */
function wrongLogCalls(file: string, text: string): { calls: number; wrong: string[] } {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const wrong: string[] = [];
  let calls = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && LOG_CALL.test(node.expression.getText())) {
      calls += 1;
      const [fields, message] = node.arguments;
      if (!eventOf(fields) || (message && ts.isStringLiteralLike(message) && message.text.endsWith('.')))
        wrong.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    node.forEachChild(visit);
  };
  visit(source);
  return { calls, wrong };
}

function eventOf(fields: ts.Expression | undefined): string | undefined {
  if (!fields || !ts.isObjectLiteralExpression(fields)) return undefined;
  const event = fields.properties.find((property) => property.name?.getText() === 'event');
  if (!event || !ts.isPropertyAssignment(event) || !ts.isStringLiteral(event.initializer)) return undefined;
  return EVENT.test(event.initializer.text) ? event.initializer.text : undefined;
}

describe('Log lines', () => {
  it('have a stable event, and a message without a final period', () => {
    const results = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => wrongLogCalls(file, readFileSync(join('src', file), 'utf8')));
    expect(results.reduce((sum, { calls }) => sum + calls, 0)).toBeGreaterThan(30);
    expect(results.flatMap(({ wrong }) => wrong)).toEqual([]);
  });

  it.each([
    ["log.info('Started');"],
    ["this.log.warn({ err: error }, 'Failed');"],
    ["log[level]({ event: 'request' }, 'Completed');"],
    ["this.log.error({ event: 'request.failed' }, 'Failed.');"],
  ])('would be reported if written as %s', (text) => expect(wrongLogCalls('a.ts', text).wrong).toEqual(['a.ts:1']));
});

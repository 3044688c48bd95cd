import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { AUDIT_ACTIONS } from '../../panel/src/audit/audit-actions';

/** Actions that a statement writes without an event: sign-in, and `npm run admin`. */
const WITHOUT_EVENT = ['user.signed-in', 'user.admin-granted', 'user.admin-revoked'];

interface EventClass {
  readonly base: string;
  /** The first argument of its call of `super`, if that is a text. */
  readonly action: string | undefined;
}

/** The classes of a source file that extend another, by name. */
function classesIn(text: string): [string, EventClass][] {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  return source.statements.filter(ts.isClassDeclaration).flatMap((declared) => {
    const base = declared.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
    if (!declared.name || !base) return [];
    return [[declared.name.text, { base: base.expression.getText(), action: actionOf(declared) }]];
  });
}

function actionOf(node: ts.Node): string | undefined {
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword) {
    const [action] = node.arguments;
    return action && ts.isStringLiteral(action) ? action.text : undefined;
  }
  return ts.forEachChild(node, actionOf);
}

/** The actions of all events that the audit log records. */
function recordedActions(texts: readonly string[]): string[] {
  const classes = new Map(texts.flatMap(classesIn));
  const isRecorded = (name: string): boolean => {
    if (name === 'UnrecordedEvent') return false;
    return name === 'DomainEvent' || isRecorded(classes.get(name)?.base ?? 'UnrecordedEvent');
  };
  return [...classes].flatMap(([name, { action }]) => (action && isRecorded(name) ? [action] : []));
}

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join('src', file), 'utf8'));

describe('the audit log filter of the panel', () => {
  it('offers exactly the actions that the service records', () => {
    expect([...AUDIT_ACTIONS]).toEqual([...recordedActions(sources), ...WITHOUT_EVENT].sort());
  });

  it('would miss the action of a new event, but not of an unrecorded one', () => {
    const added = `
      abstract class ThingEvent extends DomainEvent {}
      class ThingMade extends ThingEvent { constructor() { super('thing.made', 1); } }
      abstract class UnrecordedEvent extends DomainEvent {}
      class ThingSeen extends UnrecordedEvent { constructor() { super('thing.seen', 1); } }`;
    expect(recordedActions([...sources, added])).toEqual(
      expect.arrayContaining(['registration.deleted', 'thing.made']),
    );
    expect(recordedActions([...sources, added])).not.toContain('thing.seen');
  });
});

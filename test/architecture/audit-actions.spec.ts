import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { ACTIONS_WITHOUT_EVENT } from '../../src/platform/audit-actions';

const ACTION = /^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/;

interface EventClass {
  readonly name: string;
  readonly base: string;
  readonly isAbstract: boolean;
  readonly isExported: boolean;
  /** The text of its static property `action`. */
  readonly action: string | undefined;
}

/** The classes of a source file that extend another. */
function classesIn(text: string): EventClass[] {
  if (!text.includes('extends')) return []; // reading it as TypeScript takes longer
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  return source.statements.filter(ts.isClassDeclaration).flatMap((declared) => {
    const base = declared.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
    if (!declared.name || !base) return [];
    const has = (kind: ts.SyntaxKind) => declared.modifiers?.some((modifier) => modifier.kind === kind) ?? false;
    return {
      name: declared.name.text,
      base: base.expression.getText(),
      isAbstract: has(ts.SyntaxKind.AbstractKeyword),
      isExported: has(ts.SyntaxKind.ExportKeyword),
      action: actionOf(declared),
    };
  });
}

function actionOf({ members }: ts.ClassDeclaration): string | undefined {
  const declared = members.filter(ts.isPropertyDeclaration).find(({ name }) => name.getText() === 'action');
  const isStatic = declared?.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword);
  return isStatic && declared?.initializer && ts.isStringLiteral(declared.initializer)
    ? declared.initializer.text
    : undefined;
}

/** The classes of events, without their bases. */
function eventsIn(texts: readonly string[]) {
  const classes = new Map(texts.flatMap(classesIn).map((declared) => [declared.name, declared]));
  const extendsClass = (name: string, wanted: string): boolean =>
    name === wanted || (classes.has(name) && extendsClass(classes.get(name)!.base, wanted));
  return [...classes.values()]
    .filter(({ name, isAbstract }) => !isAbstract && extendsClass(name, 'DomainEvent'))
    .map((event) => ({ ...event, isRecorded: !extendsClass(event.name, 'UnrecordedEvent') }));
}

/** Events that the service would not find, or that have no action of the form `noun.verbed`. */
const wrongEvents = (texts: readonly string[]): string[] =>
  eventsIn(texts)
    .filter(({ isExported, action }) => !isExported || !ACTION.test(action ?? ''))
    .map(({ name }) => name);

/** The actions of all events that the audit log records. */
const recordedActions = (texts: readonly string[]): string[] =>
  eventsIn(texts).flatMap(({ action, isRecorded }) => (action && isRecorded ? [action] : []));

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => readFileSync(join('src', file), 'utf8'));
const ADDED = `
  abstract class ThingEvent extends DomainEvent {}
  export class ThingMade extends ThingEvent { static readonly action = 'thing.made'; }
  abstract class UnrecordedEvent extends DomainEvent {}
  export class ThingSeen extends UnrecordedEvent { static readonly action = 'thing.seen'; }
  class ThingHidden extends ThingEvent { static readonly action = 'thing.hidden'; }
  export class ThingLost extends ThingEvent { static readonly action = 'lost'; }
  export class ThingNameless extends ThingEvent { constructor() { super(by, null, target); } }`;

describe('the actions of the audit log', () => {
  it('are listed by the API document, from which the client and the panel have them', () => {
    const document = JSON.parse(readFileSync('client/openapi.json', 'utf8')) as { 'x-audit-actions': string[] };
    const actions = [...new Set(recordedActions(sources)), ...Object.values(ACTIONS_WITHOUT_EVENT)];
    expect(actions.length).toBeGreaterThan(40);
    expect(document['x-audit-actions']).toEqual(actions.sort());
  });

  it('are declared by each event, which is exported', () => expect(wrongEvents(sources)).toEqual([]));

  it('would lack the action of a new event, but not of an unrecorded one', () => {
    const actions = recordedActions([...sources, ADDED]);
    expect(actions).toEqual(expect.arrayContaining(['registration.deleted', 'thing.made']));
    expect(actions).not.toContain('thing.seen');
  });

  it('would be missed if they were not exported, malformed or not declared', () =>
    expect(wrongEvents([...sources, ADDED])).toEqual(['ThingHidden', 'ThingLost', 'ThingNameless']));
});

import { readFileSync } from 'node:fs';
import * as ts from 'typescript';
import { ENTITY_CLASSES } from '../../src/entities';
import { trackedFiles } from './source-files';

const parse = (sources: Record<string, string>): ts.SourceFile[] =>
  Object.entries(sources).map(([file, text]) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));

/**
 * Whether a class is constructed: by `new X()`, and if that is only in its own file, by one of its
 * static methods that another file calls.
 */
function isConstructed(name: string, sources: readonly ts.SourceFile[]): boolean {
  const files = sources.filter(({ text }) => text.includes(name));
  const own = files.find(({ text }) => text.includes(`export class ${name} `));
  const makers = files.filter((source) =>
    someNode(source, (node) => ts.isNewExpression(node) && node.expression.getText() === name),
  );
  if (makers.some((source) => source !== own)) return true;
  const calls = (node: ts.Node) =>
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.expression.getText() === name;
  return makers.length > 0 && files.some((source) => source !== own && someNode(source, calls));
}

const someNode = (node: ts.Node, matches: (node: ts.Node) => boolean): boolean =>
  matches(node) || (ts.forEachChild(node, (child) => someNode(child, matches) || undefined) ?? false);

const files = trackedFiles('src').filter((file) => /(?<!\.spec)\.ts$/.test(file));

describe('Entities', () => {
  const sources = parse(Object.fromEntries(files.map((file) => [file, readFileSync(file, 'utf8')])));

  it('are constructed by the service, and not only described for the schema', () => {
    const described = ENTITY_CLASSES.map(({ name }) => name).filter((name) => !isConstructed(name, sources));
    expect(described).toEqual([]);
  });

  it.each<[string, boolean, Record<string, string>]>([
    ['is constructed elsewhere', true, { 'a.ts': 'export class A {}', 'b.ts': 'const a = new A();' }],
    [
      'is constructed by its own method, which is called',
      true,
      { 'a.ts': 'export class A { static of() { return new A(); } }', 'b.ts': 'const a = A.of();' },
    ],
    [
      'is constructed by its own method, which nobody calls',
      false,
      { 'a.ts': 'export class A { static of() { return new A(); } }', 'b.ts': 'A;' },
    ],
    ['is only named', false, { 'a.ts': 'export class A { static of() {} }', 'b.ts': 'A.of();' }],
  ])('an entity that %s: %s', (_, expected, samples) => expect(isConstructed('A', parse(samples))).toBe(expected));
});

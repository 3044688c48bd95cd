import * as ts from 'typescript';
import { refuse } from './make-refusal';
import { applyEdits, nodesIn, parse, removal, removalFromList, type TextEdit } from './text-edits';

/** A source of the example's change without what is changed: only the entity is found and saved. */
export function withoutChanges(text: string): string {
  const source = parse(text);
  const parameters = nodesIn(source, ts.isParameter).filter(({ type }) => /Changes$/.test(type?.getText() ?? ''));
  const bindings = nodesIn(source, ts.isBindingElement).filter(({ name }) => name.getText() === 'changes');
  const calls = nodesIn(source, ts.isExpressionStatement).filter((one) => /\.change\(changes\);$/.test(one.getText()));
  return applyEdits(text, [
    ...parameters.map((one) => removalFromList((one.parent as ts.ConstructorDeclaration).parameters, one)),
    ...bindings.map((one) => removalFromList(one.parent.elements, one)),
    ...calls.map(removal),
  ]);
}

/** The text of a method of the only class in a source, with its decorators. */
export function methodIn(text: string, name: string): string {
  const method = nodesIn(parse(text), ts.isMethodDeclaration).find((one) => one.name.getText() === name);
  if (!method) throw new Error(`The example has no method ${name}.`);
  return method.getText();
}

/** A method without its body parameter, and without the description of its route. */
export function withoutBody(method: string): string {
  const source = parse(`class A { ${method} }`);
  const parameters = nodesIn(source, ts.isParameter).filter((one) => one.getText().startsWith('@Body()'));
  const described = nodesIn(source, ts.isPropertyAssignment).filter(({ name }) => name.getText() === 'description');
  const bodies = nodesIn(source, ts.isIdentifier).filter(
    ({ text, parent }) => text === 'body' && ts.isNewExpression(parent),
  );
  const text = source.getFullText();
  const changed = applyEdits(text, [
    ...parameters.map((one) => removalFromList((one.parent as ts.MethodDeclaration).parameters, one)),
    ...described.map((one) => removalFromList(one.parent.properties, one)),
    ...bodies.map((one) => removalFromList((one.parent as ts.NewExpression).arguments!, one)),
  ]);
  return changed.slice('class A { '.length, -' }'.length);
}

/** Adds a method to the first class, at its end or before another method. */
export function withMethod(text: string, method: string, before?: string): string {
  const [declared] = nodesIn(parse(text), ts.isClassDeclaration).filter(({ members }) =>
    members.some(ts.isMethodDeclaration),
  );
  if (!declared) return refuse('The controller has no class with methods.');
  const next = declared.members.find((member) => before !== undefined && member.name?.getText() === before);
  const start = next?.getStart() ?? declared.getEnd() - 1;
  return applyEdits(text, [{ start, end: start, text: next ? `${method}\n\n` : `\n${method}\n` }]);
}

/** Adds a test to the end of the first `describe`. */
export function withTest(text: string, test: string): string {
  const described = nodesIn(parse(text), ts.isCallExpression).find((call) => call.expression.getText() === 'describe');
  const body = described && nodesIn(described, ts.isBlock)[0];
  if (!body) return text;
  const start = body.getEnd() - 1;
  return applyEdits(text, [{ start, end: start, text: `\n${test}\n` }]);
}

/** Adds a class after another one, as its copy with other names. */
export function withCopiedClass(text: string, name: string, renames: readonly [string, string][]): string {
  const declared = nodesIn(parse(text), ts.isClassDeclaration).find((one) => one.name?.text === name);
  if (!declared) return refuse(`There is no class ${name} to copy.`);
  const copy = renames.reduce((source, [from, to]) => source.replaceAll(from, to), declared.getText());
  const edit: TextEdit = { start: declared.getEnd(), end: declared.getEnd(), text: `\n\n${copy}` };
  return applyEdits(text, [edit]);
}

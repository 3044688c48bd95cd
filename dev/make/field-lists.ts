import * as ts from 'typescript';
import { declarationsOf, newParameter } from './field-declarations';
import type { MakeField } from './make-fields';
import { columnOf } from './name-forms';
import { applyEdits, nodesIn, parse, type TextEdit } from './text-edits';

/** The names of the example's own fields: those of its interface of changes. */
export function fieldsOfExample(entity: string): string[] {
  const changes = nodesIn(parse(entity), ts.isInterfaceDeclaration).find(({ name }) => name.text.endsWith('Changes'));
  if (!changes) throw new Error('The example has no interface of changes.');
  return changes.members.map((member) => member.name!.getText());
}

/**
 * A source of the example with other fields. It finds each list that contains fields of the
 * example: of names, of properties, of declarations, of assignments. A list is continued as its
 * first field is written; declarations follow from the type of the field.
 * @param old the names of the example's fields
 */
export function withFields(text: string, old: readonly string[], fields: readonly MakeField[]): string {
  const edits: TextEdit[] = [];
  const look = (list: ts.NodeArray<ts.Node>): void => {
    const own = list.filter((element) => old.includes(nameOf(element) ?? ''));
    if (own.length > 0 && isFieldList(own, old)) edits.push(replacement(own, fields));
  };
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit, (list) => {
      look(list);
      list.forEach(visit);
      return undefined;
    });
  };
  const source = parse(text);
  visit(source);
  return applyEdits(text, edits);
}

/** The field that an element of a list is about. */
function nameOf(element: ts.Node): string | undefined {
  if (ts.isStringLiteral(element)) return element.text;
  if (ts.isBindingElement(element) || ts.isPropertySignature(element) || ts.isPropertyDeclaration(element))
    return element.name.getText();
  if (ts.isShorthandPropertyAssignment(element) || ts.isPropertyAssignment(element)) return element.name.getText();
  if (!ts.isExpressionStatement(element) || !ts.isBinaryExpression(element.expression)) return undefined;
  return /^this\.(\w+)$/.exec(element.expression.left.getText())?.[1];
}

/** A list of options can have a property of the same name, but not all of them. */
const isFieldList = (own: readonly ts.Node[], old: readonly string[]): boolean =>
  own.length === old.length || own.some((element) => !ts.isPropertyAssignment(element));

function replacement(own: readonly ts.Node[], fields: readonly MakeField[]): TextEdit {
  const [first] = own;
  const isDeclared = ts.isPropertySignature(first) || ts.isPropertyDeclaration(first);
  const separator = isDeclared || ts.isStatement(first) ? '\n' : ', ';
  const text = fields.map(writerFor(first)).join(separator);
  return { start: first.getStart(), end: own[own.length - 1].getEnd(), text };
}

function writerFor(first: ts.Node): (field: MakeField) => string {
  if (ts.isPropertySignature(first) || ts.isPropertyDeclaration(first))
    return declarationsOf(first.parent as ts.ClassDeclaration | ts.InterfaceDeclaration);
  if (isParameterOfCreate(first)) return newParameter;
  const name = new RegExp(`\\b${nameOf(first)}\\b`, 'g');
  return (field) => first.getText().replace(name, field.name);
}

function isParameterOfCreate(element: ts.Node): boolean {
  const parameter = element.parent.parent;
  if (!ts.isBindingElement(element) || !ts.isParameter(parameter)) return false;
  return ts.isMethodDeclaration(parameter.parent) && parameter.parent.name.getText() === 'create';
}

/** A migration with other columns: lines of CREATE TABLE that begin with a field of the example. */
export function withColumns(text: string, old: readonly string[], fields: readonly MakeField[]): string {
  const line = new RegExp(`^( +)(${old.map(columnOf).join('|')}) .*,\\n`, 'gm');
  let isFirst = true;
  return text.replace(line, (_, indentation: string) => {
    if (!isFirst) return '';
    isFirst = false;
    return fields.map((field) => `${indentation}${columnLine(field)},\n`).join('');
  });
}

const columnLine = ({ name, column, isNullable }: MakeField): string =>
  `${columnOf(name)} ${column}${isNullable ? '' : ' NOT NULL'}`;

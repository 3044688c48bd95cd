import * as ts from 'typescript';
import { isRequired, type MakeField } from './make-fields';
import { applyEdits, nodesIn, parse, type TextEdit } from './text-edits';

type Choose = (field: MakeField) => string | readonly string[];

const object = (fields: readonly MakeField[], value: (field: MakeField) => string) =>
  `{ ${fields.map((field) => `${field.name}: ${value(field)}`).join(', ')} }`;

/** The constants at the top of the example's tests, as other fields have them. */
const CONSTANTS: Record<string, (fields: readonly MakeField[]) => string> = {
  NEW: (fields) => object(fields, ({ tests }) => tests.sent),
  SHOWN: (fields) => object(fields, ({ tests }) => tests.shown),
  REQUIRED: (fields) =>
    `[${fields
      .filter(isRequired)
      .map(({ name }) => `'${name}'`)
      .join(', ')}]`,
  CHANGES: (fields) => object(fields, ({ tests }) => tests.changed),
  ACCEPTED: (fields) =>
    `[${values(fields, accepted)
      .map(([name, value]) => `{ ${name}: ${value} }`)
      .join(', ')}]`,
  REFUSED: (fields) =>
    `[${values(fields, refused)
      .map(([name, value]) => `[{ ${name}: ${value} }, '${name}']`)
      .join(', ')}]`,
};

const accepted: Choose = ({ tests, isNullable }) => [...tests.accepted, ...(isNullable ? ['null'] : [])];
const refused: Choose = ({ tests, isNullable }) => [...tests.refused, ...(isNullable ? [] : ['null'])];
const values = (fields: readonly MakeField[], choose: Choose): [string, string][] =>
  fields.flatMap((field) => [choose(field)].flat().map((value): [string, string] => [field.name, value]));

/** The tests of the example with values of other fields. @throws if one of its constants is gone */
export function withTestValues(text: string, fields: readonly MakeField[]): string {
  const declarations = nodesIn(parse(text), ts.isVariableDeclaration);
  const edits = Object.entries(CONSTANTS).map(([constant, write]): TextEdit => {
    const initializer = declarations.find(({ name }) => name.getText() === constant)?.initializer;
    if (!initializer) throw new Error(`The tests of the example have no constant ${constant}.`);
    return { start: initializer.getStart(), end: initializer.getEnd(), text: write(fields) };
  });
  return applyEdits(text, edits);
}

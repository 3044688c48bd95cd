import * as ts from 'typescript';
import { isRequired, type MakeField } from './make-fields';
import type { Noun } from './name-forms';
import { applyEdits, nodesIn, parse, type TextEdit } from './text-edits';

/** What the lists of others need to know of a new module. */
export interface NewModule {
  readonly example: Noun;
  readonly noun: Noun;
  readonly fields: readonly MakeField[];
  /** How many the Free plan includes; undefined: no limit. */
  readonly limit?: number;
}

const after = (node: ts.Node, text: string): TextEdit => ({ start: node.getEnd(), end: node.getEnd(), text });

/** The first element of a list that has a text. @throws if there is none */
function found<T>(what: string, elements: readonly T[], test: (element: T) => boolean): T {
  const element = elements.find(test);
  if (!element) throw new Error(`There is no ${what} to put a new one after.`);
  return element;
}

const property = (source: ts.SourceFile, name: string) =>
  found(`property ${name}`, nodesIn(source, ts.isPropertyAssignment), (one) => nameOf(one.name) === name);

const nameOf = (name: ts.PropertyName): string => (ts.isStringLiteral(name) ? name.text : name.getText());
const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
const quoted = (name: string): string => (/^\w+$/.test(name) ? name : `'${name}'`);

/** `src/modules.ts`: after the example, whose modules a new one may use too. */
export function addModule(text: string, { example, noun }: NewModule): string {
  const source = parse(text);
  const imports = source.statements.filter(ts.isImportDeclaration);
  const line = `import { ${noun.many.pascal}Module } from './${noun.many.kebab}/${noun.many.kebab}.module';`;
  const before = imports.findLast((one) => one.getText() < line);
  const inserted = before ? after(before, `\n${line}`) : { start: 0, end: 0, text: `${line}\n` };
  const listed = found(
    'module',
    nodesIn(source, ts.isIdentifier),
    (one) => one.text === `${example.many.pascal}Module` && ts.isArrayLiteralExpression(one.parent),
  );
  return applyEdits(text, [inserted, after(listed, `, ${noun.many.pascal}Module`)]);
}

/** The permissions of a module with their descriptions. */
export const permissionsOf = ({ many }: Noun): Record<string, string> => ({
  [`tenant.${many.kebab}.read`]: `View ${many.words}`,
  [`tenant.${many.kebab}.manage`]: `Create, edit and delete ${many.words}`,
});

/** `src/platform/permissions.ts`. */
export function addPermissions(text: string, { example, noun }: NewModule): string {
  const last = property(parse(text), `tenant.${example.many.kebab}.manage`);
  const lines = Object.entries(permissionsOf(noun)).map(([name, description]) => `'${name}': '${description}'`);
  return applyEdits(text, [after(last, `,\n${lines.join(',\n')}`)]);
}

/** The snapshot of the permissions, which is sorted. */
export function addToSnapshot(text: string, { noun }: NewModule): string {
  const entries = Object.entries(permissionsOf(noun)).map(([name, description]) => `  "${name}": "${description}",`);
  const [list] = /(?<=`\n\{\n)(?:[ ]{2}"tenant\..*\n)+/.exec(text)!;
  const lines = [...list.trimEnd().split('\n'), ...entries].sort();
  return text.replace(list, `${lines.join('\n')}\n`);
}

/** The tags of the API document. */
export function addTag(text: string, { example, noun }: NewModule): string {
  const { kebab, words } = noun.many;
  const description = `${capitalized(words)} of the active tenant`;
  const last = property(parse(text), example.many.kebab);
  return applyEdits(text, [after(last, `,\n${quoted(kebab)}: '${description}'`)]);
}

/** `data-exports.e2e-spec.ts`: the columns that may name a person, by their names. */
export function addNamedColumns(text: string, made: NewModule): string {
  const [entry] = new RegExp(`'${made.example.many.snake}\\.name': '(.*)',`).exec(text)!;
  const added = columnsThatMayName(text, made).map((column) => `'${column}': 'of the tenant',`);
  return text.replace(entry, [entry, ...added].join('\n'));
}

/** @param text of `data-exports.e2e-spec.ts`, which has the pattern of their names */
export function columnsThatMayName(text: string, { noun, fields }: Pick<NewModule, 'noun' | 'fields'>): string[] {
  const [, pattern] = /const NAMING =\s+'(.*)';/.exec(text)!;
  const columns = fields.map(({ name }) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  return columns.filter((name) => new RegExp(pattern).test(name)).map((name) => `${noun.many.snake}.${name}`);
}

/** `docs/contract.md`: the routes and the permissions. */
export function addToContract(text: string, { example, noun, fields, limit }: NewModule): string {
  const path = (kebab: string) => `/tenants/current/${kebab}`;
  const row = new RegExp(`^\\| GET and POST ${path(example.many.kebab)}, .*$`, 'm').exec(text);
  if (!row) throw new Error(`docs/contract.md has no row of ${path(example.many.kebab)}.`);
  const { kebab, words } = noun.many;
  const routes = `GET and POST ${path(kebab)}, GET, PATCH and DELETE ${path(kebab)}/{id}`;
  const listed = fields.map((field) => `${field.name}${isRequired(field) ? '' : '?'}`).join(', ');
  const limited =
    limit === undefined ? '' : `. The Free plan holds ${limit} ${words}; one more is 402 \`PLAN_REQUIRED\``;
  const ownRow = `| ${routes} | ${kebab}.read / .manage | ${listed}${limited} |`;
  const permissions = `tenant.${kebab}.read and tenant.${kebab}.manage.`;
  return text
    .replace(row[0], `${row[0]}\n${ownRow}`)
    .replace(/^(- The permissions are .*) and (tenant\.[\w.-]+)\.$/m, `$1, $2, ${permissions}`);
}

/** Every table of limits and their type: beside the limit of the example. */
export function addLimit(text: string, { example, noun, limit }: NewModule): string {
  const source = parse(text);
  const tables = nodesIn(source, ts.isObjectLiteralExpression).map(({ properties }) => [...properties]);
  const types = nodesIn(source, ts.isInterfaceDeclaration).map(({ members }) => [...members]);
  const edits = [...tables, ...types].flatMap((entries): TextEdit[] => {
    const entry = (wanted: string) => entries.find(({ name }) => name && nameOf(name) === wanted);
    const of = entry(example.many.camel);
    if (!of || !entry('invitationsPerDay')) return [];
    const [before, ...rest] = of.getText().split(example.many.camel);
    const own = `${before}${noun.many.camel}${rest.join(noun.many.words)}`.replace(/\b\d+\b/, String(limit));
    return [after(of, ts.isPropertySignature(of) ? `\n${own}` : `,\n${own}`)];
  });
  if (edits.length === 0) throw new Error('There is no table of limits to add one to.');
  return applyEdits(text, edits);
}

import { posix } from 'node:path';
import * as ts from 'typescript';
import { applyEdits, nodesIn, parse, removal, removalFromList, type TextEdit } from './text-edits';

/** A name and the file that exports it, without its ending: `src/platform/clock`. */
export interface ImportedName {
  readonly name: string;
  readonly file: string;
}

/** The named imports of a file. */
const importsOf = (source: ts.SourceFile) =>
  source.statements.filter(ts.isImportDeclaration).flatMap((declaration) => {
    const bindings = declaration.importClause?.namedBindings;
    return bindings && ts.isNamedImports(bindings) ? [{ declaration, names: bindings.elements }] : [];
  });

/**
 * A source with some more imports. A name that is imported already is left as it is.
 * @param path of the source, from the root of the repository
 */
export function withImports(path: string, text: string, wanted: readonly ImportedName[]): string {
  return wanted.reduce((source, name) => withImport(path, source, name), text);
}

function withImport(path: string, text: string, { name, file }: ImportedName): string {
  const imports = importsOf(parse(text));
  const from = relativeTo(path, file);
  if (imports.some(({ names }) => names.some((one) => one.name.text === name))) return text;
  const present = imports.find(
    ({ declaration }) => (declaration.moduleSpecifier as ts.StringLiteral).text === from && !isTypeOnly(declaration),
  );
  if (present) {
    const last = present.names[present.names.length - 1];
    return applyEdits(text, [{ start: last.getEnd(), end: last.getEnd(), text: `, ${name}` }]);
  }
  const after = imports.findLast(({ declaration }) => /^'\.\.\/\.\./.test(declaration.moduleSpecifier.getText()));
  const end = (after ?? imports[imports.length - 1]).declaration.getEnd();
  return applyEdits(text, [{ start: end, end, text: `\nimport { ${name} } from '${from}';` }]);
}

const isTypeOnly = ({ importClause }: ts.ImportDeclaration): boolean =>
  importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;

function relativeTo(path: string, file: string): string {
  const relative = posix.relative(posix.dirname(path), file);
  return relative.startsWith('.') ? relative : `./${relative}`;
}

/** A source without the imports that it does not use. */
export function withoutUnusedImports(text: string): string {
  const source = parse(text);
  const used = new Set(
    nodesIn(source, ts.isIdentifier)
      .filter(({ parent }) => !ts.isImportSpecifier(parent))
      .map((identifier) => identifier.text),
  );
  const edits = importsOf(source).flatMap(({ declaration, names }): TextEdit[] => {
    const unused = names.filter((specifier) => !used.has(specifier.name.text));
    if (unused.length === names.length) return [removal(declaration)];
    return unused.map((specifier) => removalFromList(names, specifier));
  });
  // adjacent removals may touch each other, so one at a time
  return edits.length === 0 ? text : withoutUnusedImports(applyEdits(text, edits.slice(0, 1)));
}

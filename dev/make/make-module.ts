import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangeSet } from './change-set';
import { EXAMPLE, EXAMPLE_ENTITY, filesOfExample } from './example-module';
import { fieldsOfExample, withColumns, withFields } from './field-lists';
import { withImports, withoutUnusedImports } from './import-lists';
import { isRequired, type MakeField } from './make-fields';
import {
  addLimit,
  addModule,
  addNamedColumns,
  addPermissions,
  addTag,
  addToContract,
  addToSnapshot,
  columnsThatMayName,
  type NewModule,
} from './module-registries';
import { refuseTakenClasses, refuseTakenNames } from './module-name-check';
import { isAboutLimit, isForLimit, withoutPlanLimit } from './plan-limit-code';
import { renameSource } from './rename-source';
import { editComments } from './source-comments';
import { withTestValues } from './test-values';

/** The lists of others that a module is entered in. */
const REGISTRIES: Record<string, (text: string, made: NewModule) => string> = {
  'src/modules.ts': addModule,
  'src/platform/permissions.ts': addPermissions,
  'test/architecture/__snapshots__/permissions.spec.ts.snap': addToSnapshot,
  'src/http/openapi/openapi-document.ts': addTag,
  'docs/contract.md': addToContract,
};
const DATA_EXPORTS = 'test/e2e/accounts/data-exports.e2e-spec.ts';
const LIMITS = 'src/billing/catalogue/domain/plan-catalogue.ts';

/**
 * A module like the example: its files under the new name and with the new fields, and its entries
 * in the lists of others.
 * @param now milliseconds of the migration
 * @throws a Refusal if a name is taken
 */
export function makeModule(root: string, changes: ChangeSet, made: Omit<NewModule, 'example'>, now: number): void {
  refuseTakenNames(root, made.noun);
  const given = { ...made, example: EXAMPLE };
  const time = migrationTime(root, now);
  const old = fieldsOfExample(changes.read(EXAMPLE_ENTITY));
  const isNeeded = (path: string) => made.limit !== undefined || !isForLimit(path);
  for (const path of filesOfExample(root).filter(isNeeded)) {
    const target = renamedPath(path, given, time);
    const renamed = renameSource(changes.read(path), EXAMPLE, made.noun).replace(/\d{13}/g, String(time));
    changes.create(target, withOwnContent(target, renamed, given, old));
  }
  refuseTakenClasses(root, changes);
  for (const [path, add] of Object.entries(REGISTRIES)) changes.edit(path, (text) => add(text, given));
  if (columnsThatMayName(changes.read(DATA_EXPORTS), given).length > 0)
    changes.edit(DATA_EXPORTS, (text) => addNamedColumns(text, given));
  if (made.limit !== undefined) changes.edit(LIMITS, (text) => addLimit(text, given));
}

/** Now, or later than all other migrations. */
function migrationTime(root: string, now: number): number {
  const times = readdirSync(join(root, 'migrations')).map((file) => Number.parseInt(file, 10));
  return Math.max(now, ...times.filter(Number.isSafeInteger).map((time) => time + 1));
}

function renamedPath(path: string, { example, noun }: NewModule, time: number): string {
  return path
    .replaceAll(example.many.kebab, noun.many.kebab)
    .replaceAll(example.one.kebab, noun.one.kebab)
    .replace(/\d{13}/, String(time));
}

function withOwnContent(path: string, text: string, made: NewModule, old: readonly string[]): string {
  const { fields, limit } = made;
  const hasLimit = limit !== undefined;
  let changed = hasLimit
    ? text.replace(/(?<='The Free plan includes )\d+/, String(limit))
    : withoutPlanLimit(path, text);
  if (path.startsWith('test/')) changed = withTestValues(changed, fields);
  else if (path.startsWith('migrations/')) changed = withColumns(changed, old, fields);
  else changed = withImports(path, withFields(changed, old, fields), decoratorsOf(path, fields));
  const isDropped = (sentence: string) => /\bexample\b/i.test(sentence) || (!hasLimit && isAboutLimit(sentence));
  return withoutUnusedImports(editComments(changed, isDropped));
}

/** The decorators of the bodies, which the controller declares. */
function decoratorsOf(path: string, fields: readonly MakeField[]) {
  if (!path.endsWith('.controller.ts')) return [];
  const name = (decorator: string) => decorator.slice(0, decorator.indexOf('('));
  return fields.flatMap((field) => [
    ...(isRequired(field) || field.isNullable ? [{ name: name(field.field), file: field.decorators }] : []),
    field.isNullable
      ? { name: 'NullableField', file: 'src/http/validation/optional.decorators' }
      : { name: name(field.optionalField), file: field.decorators },
  ]);
}

/** What the developer sees next. */
export const nextSteps = ({ noun }: Omit<NewModule, 'example'>): string[] => [
  `src/${noun.many.kebab}/domain/${noun.one.kebab}.ts: the rules of the entity`,
  `src/${noun.many.kebab}/http/${noun.many.kebab}.controller.ts: limits and examples of the bodies`,
  `src/tenants/domain/built-in-roles.ts: what the role Member may do; Owner and Admin may do all`,
  `docs/contract.md and CHANGELOG.md: what the routes promise`,
  `test/e2e/accounts/data-exports.e2e-spec.ts: whether a column names a person (docs/add-a-module.md, Personal data)`,
  `npx jest --ci test/e2e/${noun.many.kebab} test/e2e/accounts/data-exports test/e2e/isolation test/architecture`,
];

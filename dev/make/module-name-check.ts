import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangeSet } from './change-set';
import { nounOf, singularOf, type Noun } from './name-forms';
import { permissionsOf } from './module-registries';
import { refuse } from './make-refusal';
import { problemOfModuleName } from './reserved-words';

/**
 * The noun of a module.
 * @param singular derived from the plural if it is not given
 * @throws a Refusal if a form is no name, or there is no singular
 */
export function readNoun(plural: string, singular = singularOf(plural)): Noun {
  const problem = problemOfModuleName(plural);
  if (problem) refuse(`The name ${plural} ${problem}`);
  if (!singular || singular === plural) refuse(`${plural} is no regular plural. Add \`--singular\` with its singular.`);
  const problemOfOne = problemOfModuleName(singular);
  if (problemOfOne) refuse(`The singular ${singular} ${problemOfOne}`);
  return nounOf(plural, singular);
}

/** @throws a Refusal if a folder, table, route or permission of a new module is taken */
export function refuseTakenNames(root: string, noun: Noun): void {
  const { many, one } = noun;
  if (existsSync(join(root, 'src', many.kebab))) refuse(`There is a module ${many.kebab} already.`);
  const text = (path: string) => readFileSync(join(root, path), 'utf8');
  const migrations = readdirSync(join(root, 'migrations'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => text(`migrations/${file}`));
  const table = new RegExp(`(TABLE|INDEX|FUNCTION|VIEW) (IF NOT EXISTS )?"?(${many.snake}|${one.snake})"?\\b`, 'i');
  if (migrations.some((migration) => table.test(migration))) refuse(`There is a table ${many.snake} already.`);
  if (text('client/openapi.json').includes(`"/api/v1/tenants/current/${many.kebab}`))
    refuse(`There is a route /tenants/current/${many.kebab} already.`);
  const taken = Object.keys(permissionsOf(noun)).find((name) => text('src/platform/permissions.ts').includes(name));
  if (taken) refuse(`There is a permission ${taken} already.`);
}

/** @throws a Refusal if a class of the new files is taken: schemas and routes have their names */
export function refuseTakenClasses(root: string, changes: ChangeSet): void {
  const classes = classesIn(changes.changes.map((change) => change.text));
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.spec)\.ts$/.test(file))
    .map((file) => readFileSync(join(root, 'src', file), 'utf8'));
  const double = classesIn(sources).find((name) => classes.includes(name));
  if (double) refuse(`There is a class ${double} already.`);
}

const classesIn = (sources: readonly string[]): string[] =>
  sources.flatMap((source) => [...source.matchAll(/^(?:export )?(?:abstract )?class (\w+)/gm)].map(([, name]) => name));

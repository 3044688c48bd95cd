import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import type { ChangeSet } from './change-set';
import { EXAMPLE } from './example-module';
import { withImports } from './import-lists';
import { refuse } from './make-refusal';
import { readNoun } from './module-name-check';
import type { Noun } from './name-forms';
import { withoutPlanLimit } from './plan-limit-code';
import { renameSource } from './rename-source';
import { applyEdits, nodesIn, parse } from './text-edits';

/** A module that gets another file. */
export class ExistingModule {
  readonly noun: Noun;

  /** @throws a Refusal if there is no such module */
  constructor(
    root: string,
    private readonly changes: ChangeSet,
    name: string,
    singular?: string,
  ) {
    if (!changes.exists(`src/${name}/${name}.module.ts`)) {
      const isModule = (folder: string) => changes.exists(`src/${folder}/${folder}.module.ts`);
      const names = readdirSync(join(root, 'src')).filter(isModule);
      refuse(`There is no module ${name}. There are ${names.join(', ')}.`);
    }
    this.noun = readNoun(name, singular);
  }

  /** A path in the module that has the same place in the example. */
  path(ofExample: string): string {
    const { one, many } = EXAMPLE;
    return ofExample.replaceAll(many.kebab, this.noun.many.kebab).replaceAll(one.kebab, this.noun.one.kebab);
  }

  /** @throws a Refusal if the module lacks one of these files of the example */
  require(...ofExample: readonly string[]): void {
    const missing = ofExample.map((path) => this.path(path)).find((path) => !this.changes.exists(path));
    if (missing)
      refuse(`There is no ${missing}, which modules like src/${EXAMPLE.many.kebab} have. Write this one by hand.`);
  }

  /** A source of the example, about this module and without a limit of the plan. */
  fromExample(path: string): string {
    const text = renameSource(this.changes.read(path), EXAMPLE, this.noun);
    return withoutPlanLimit(this.path(path), text);
  }

  /** Adds a module to the imports, if it is not there. */
  use(name: string, file: string): void {
    const path = `src/${this.noun.many.kebab}/${this.noun.many.kebab}.module.ts`;
    this.changes.edit(path, (text) => withModule(withImports(path, text, [{ name, file }]), name));
  }
}

/** A module class that imports one more module. */
function withModule(text: string, name: string): string {
  const declared = nodesIn(parse(text), ts.isPropertyAssignment).find((one) => one.name.getText() === 'imports');
  if (!declared) return text.replace(/@Module\((.+)\)/, `@Module({ imports: [${name}], ...$1 })`);
  const { elements } = declared.initializer as ts.ArrayLiteralExpression;
  if (elements.some((element) => element.getText() === name)) return text;
  const end = elements[elements.length - 1].getEnd();
  return applyEdits(text, [{ start: end, end, text: `, ${name}` }]);
}

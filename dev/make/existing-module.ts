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

  /** Adds a class to the providers. */
  provide(name: string, file: string): void {
    const path = `src/${this.noun.many.kebab}/${this.noun.many.kebab}.module.ts`;
    this.changes.edit(path, (text) => {
      const imported = withImports(path, text, [{ name, file }]);
      const providers = nodesIn(parse(imported), ts.isPropertyAssignment).find(
        (property) => property.name.getText() === 'providers',
      )?.initializer;
      if (!providers || !ts.isArrayLiteralExpression(providers)) return refuse(`${path} has no list of providers.`);
      const end = providers.elements.at(-1)?.getEnd() ?? providers.getStart() + 1;
      return applyEdits(imported, [{ start: end, end, text: `${providers.elements.length > 0 ? ', ' : ''}${name}` }]);
    });
  }
}

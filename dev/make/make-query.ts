import type { ChangeSet } from './change-set';
import { EXAMPLE } from './example-module';
import type { ExistingModule } from './existing-module';
import { withImports } from './import-lists';
import { refuse } from './make-refusal';
import { formsOf, type Noun } from './name-forms';
import { methodIn, withMethod, withTest } from './use-case-code';

const { many } = EXAMPLE;
const LIST = `src/${many.kebab}/queries/list-${many.kebab}.ts`;
const CONTROLLER = `src/${many.kebab}/http/${many.kebab}.controller.ts`;
const COUNT_VIEW = { name: 'CountView', file: 'src/http/responses/count.views' };
const TESTS = `test/e2e/${many.kebab}/${many.kebab}.e2e-spec.ts`;

/** What a query is made of. */
interface QueryParts {
  readonly source: string;
  readonly method: string;
  readonly test: string;
}

/**
 * A query over the rows of a module: a list like that of the example, or a count.
 * @param name `list-overdue-shipments` or `count-overdue-shipments`
 * @returns what to look at next
 */
export function makeQuery(module: ExistingModule, changes: ChangeSet, name: string): string[] {
  const { noun } = module;
  module.require(CONTROLLER, TESTS);
  const parts = partsOf(module, name);
  const path = `src/${noun.many.kebab}/queries/${name}.ts`;
  const { pascal } = formsOf(name);
  const file = path.replace('.ts', '');
  changes.create(path, parts.source);
  const controller = module.path(CONTROLLER);
  const names = [{ name: pascal, file }, ...(name.startsWith('count-') ? [COUNT_VIEW] : [])];
  changes.edit(controller, (text) =>
    withMethod(withImports(controller, text, names), parts.method, `get${noun.one.pascal}`),
  );
  changes.edit(module.path(TESTS), (text) => withTest(text, parts.test));
  return [
    `${path}: a condition, if it needs one, and an index that serves it (docs/decisions/0027-typeorm-and-sql.md)`,
    `${module.path(TESTS)}: with a condition, a row that it leaves out`,
    `npx jest --ci test/e2e/${noun.many.kebab} test/e2e/isolation test/architecture/migrations`,
  ];
}

function partsOf(module: ExistingModule, name: string): QueryParts {
  const { noun } = module;
  const [, kind, , condition = ''] = new RegExp(`^(list|count)-(([a-z0-9-]+)-)?${noun.many.kebab}$`).exec(name) ?? [];
  if (!kind || (kind === 'list' && !condition))
    refuse(`Name the query list-…-${noun.many.kebab} or count-…-${noun.many.kebab}, such as list-old-…`);
  return kind === 'list' ? listParts(module, name, condition) : countParts(noun, name, condition);
}

function listParts(module: ExistingModule, name: string, condition: string): QueryParts {
  const { many: forms } = module.noun;
  const { pascal, camel } = formsOf(name);
  const renamed = (text: string) =>
    text.replaceAll(`List${forms.pascal}`, pascal).replaceAll(`list${forms.pascal}`, camel);
  const method = renamed(methodIn(module.fromExample(CONTROLLER), `list${forms.pascal}`))
    .replace('@Get()', `@Get('${condition}')`)
    .replace(`'List ${forms.words}'`, `'List ${condition.replaceAll('-', ' ')} ${forms.words}'`);
  const test = `
  it('are listed at /${condition}', async () => {
    const { id } = await create();
    const { items } = (await t.api.get(\`\${PATH}/${condition}?limit=1\`).set(owner.bearer).expect(200)).body.data;
    expect(items).toEqual([expect.objectContaining({ id })]);
    await t.api.get(\`\${PATH}/${condition}\`).expect(401);
  });`;
  const source = renamed(module.fromExample(LIST)).replace(
    'Lists the ',
    `Lists the ${condition.replaceAll('-', ' ')} `,
  );
  return { source, method, test };
}

function countParts(noun: Noun, name: string, condition: string): QueryParts {
  const { pascal, camel } = formsOf(name);
  const { many: forms } = noun;
  const route = condition ? `${condition}-count` : 'count';
  const counted = `${condition.replaceAll('-', ' ')} ${forms.words}`.trim();
  const source = `import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import type { CountView } from '../../http/responses/count.views';
import { EntityReader } from '../../platform/database/entity-reader';
import { ok, type Result } from '../../platform/result';
import { ${noun.one.pascal} } from '../domain/${noun.one.kebab}';

/** Counts the ${counted} of the active tenant. */
export class ${pascal} extends Query<Result<CountView>> {
  constructor(readonly actor: TenantActor) {
    super();
  }
}

@QueryHandler(${pascal})
export class ${pascal}Handler implements IQueryHandler<${pascal}> {
  constructor(private readonly reader: EntityReader) {}

  async execute({ actor }: ${pascal}): Promise<Result<CountView>> {
    const rows = { scope: actor, where: { tenantId: actor.tenantId } };
    return ok({ count: await this.reader.count(${noun.one.pascal}, rows) });
  }
}
`;
  const method = `@Get('${route}')
  @RequirePermission('tenant.${forms.kebab}.read')
  @Responds({ summary: 'Count ${counted}', data: CountView })
  ${camel}(@CurrentTenantActor() actor: TenantActor) {
    return this.queries.execute(new ${pascal}(actor));
  }`;
  const test = `
  it('are counted at /${route}', async () => {
    const count = async () =>
      (await t.api.get(\`\${PATH}/${route}\`).set(owner.bearer).expect(200)).body.data.count as number;
    const before = await count();
    await create();
    expect(await count()).toBe(before + 1);
    await t.api.get(\`\${PATH}/${route}\`).expect(401);
  });`;
  return { source, method, test };
}

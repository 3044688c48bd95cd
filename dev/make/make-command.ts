import type { ChangeSet } from './change-set';
import { EXAMPLE } from './example-module';
import type { ExistingModule } from './existing-module';
import { withImports, withoutUnusedImports } from './import-lists';
import { refuse } from './make-refusal';
import { formsOf } from './name-forms';
import { methodIn, withCopiedClass, withMethod, withoutBody, withoutChanges, withTest } from './use-case-code';
import { pastOf, presentOf } from './verb-forms';
import { addVerb } from './verb-registry';

const { one, many } = EXAMPLE;
const COMMAND = `src/${many.kebab}/commands/change-${one.kebab}.ts`;
const EVENTS = `src/${many.kebab}/${many.kebab}.events.ts`;
const PUBLIC_EVENTS = `src/${many.kebab}/${many.kebab}.public-events.ts`;
const CONTROLLER = `src/${many.kebab}/http/${many.kebab}.controller.ts`;
const TESTS = `test/e2e/${many.kebab}/${many.kebab}.e2e-spec.ts`;

/**
 * A command for one row of a module, with its event, route and test. It is the example's change
 * without what is changed.
 * @param name a verb and the singular of the module: `approve-project`
 * @returns what to look at next
 */
export function makeCommand(module: ExistingModule, changes: ChangeSet, name: string): string[] {
  const { noun } = module;
  const verb = verbOf(name, noun.one.kebab);
  module.require(COMMAND.replace('commands/change-', 'domain/'), EVENTS, CONTROLLER, TESTS);
  const path = `src/${noun.many.kebab}/commands/${name}.ts`;
  const { pascal, camel } = formsOf(name);
  const event = `${noun.one.pascal}${formsOf(pastOf(verb)).pascal}`;
  const file = path.replace('.ts', '');
  const renamed = withoutChanges(module.fromExample(COMMAND))
    .replaceAll(`Change${noun.one.pascal}`, pascal)
    .replaceAll(`${noun.one.pascal}Changed`, event)
    .replace(/\/\*\* Changes (an? [^;.]+)[^*]*\*\//, `/** ${capitalized(presentOf(verb))} $1. NOT_FOUND. */`);
  changes.create(path, withoutUnusedImports(renamed));
  changes.edit(module.path(EVENTS), (text) =>
    withCopiedClass(text, `${noun.one.pascal}Changed`, [
      [`${noun.one.pascal}Changed`, event],
      [`${noun.one.kebab}.changed`, `${noun.one.kebab}.${pastOf(verb)}`],
    ]),
  );
  const publicEvents = module.path(PUBLIC_EVENTS);
  if (changes.exists(publicEvents))
    changes.edit(publicEvents, (text) =>
      withPublicEvent(
        withImports(publicEvents, text, [{ name: event, file: module.path(EVENTS).replace('.ts', '') }]),
        `${noun.one.pascal}Changed`,
        event,
        pastOf(verb),
      ),
    );
  const method = withoutBody(methodIn(module.fromExample(CONTROLLER), `change${noun.one.pascal}`))
    .replace("@Patch(':id')", `@Post(':id/${verb}')`)
    .replace(`'Update `, `'${capitalized(verb)} `)
    .replaceAll(`change${noun.one.pascal}`, camel)
    .replaceAll(`Change${noun.one.pascal}`, pascal);
  const controller = module.path(CONTROLLER);
  changes.edit(controller, (text) => withMethod(withImports(controller, text, [{ name: pascal, file }]), method));
  changes.edit(module.path(TESTS), (text) => withTest(text, testOf(verb, pastOf(verb), noun.many.kebab)));
  addVerb(changes, verb);
  return [
    `src/${noun.many.kebab}/domain/${noun.one.kebab}.ts: a method with the rule, which ${path} calls before it saves`,
    `${module.path(EVENTS)}: the name of the event, ${event}`,
    `${publicEvents}: whether receivers of tenants get it; else list it in test/architecture/public-events.spec.ts`,
    `npx jest --ci test/e2e/${noun.many.kebab} test/e2e/isolation`,
  ];
}

/** The public event of a change, copied for another event. */
const withPublicEvent = (text: string, changed: string, event: string, past: string): string =>
  text.replace(new RegExp(`^  publicEvent\\('[^']+', \\{[^}]*\\bfrom: ${changed},[^}]*\\}\\),\\n`, 'm'), (line) => {
    const copy = line.replace('.updated', `.${past}`).replace('was changed', `was ${past}`).replace(changed, event);
    return `${line}${copy}`;
  });

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function verbOf(name: string, singular: string): string {
  const verb = name.endsWith(`-${singular}`) ? name.slice(0, -singular.length - 1) : '';
  if (!/^[a-z]+$/.test(verb)) refuse(`Name the command by a verb and ${singular}, such as approve-${singular}.`);
  return verb;
}

const testOf = (verb: string, past: string, kebab: string): string => `
  it('can be ${past} with the permission to manage only', async () => {
    const { id } = await create();
    const request = (by: Member) => t.api.post(\`\${PATH}/\${id}/${verb}\`).set(by.bearer);
    expect((await request(owner).expect(200)).body.data).toMatchObject({ id });
    const reader = await t.actors.member(owner, ['tenant.${kebab}.read']);
    expect((await request(reader).expect(403)).body.error.code).toBe('FORBIDDEN');
    await t.api.delete(\`\${PATH}/\${id}\`).set(owner.bearer).expect(200);
    await request(owner).expect(404);
  });`;

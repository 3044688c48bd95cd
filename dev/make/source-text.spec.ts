import { withImports, withoutUnusedImports } from './import-lists';
import { withoutPlanLimit } from './plan-limit-code';
import { editComments } from './source-comments';
import { applyEdits } from './text-edits';

describe('Imports', () => {
  const SOURCE = `import { A } from '../../http/a';\nimport type { T } from '../../http/b';\n\nnew A<T>();\n`;
  const wanted = (name: string, file: string) => withImports('src/x/http/y.ts', SOURCE, [{ name, file }]);

  it.each([
    ['B', 'src/http/a', `import { A, B } from '../../http/a';`],
    ['B', 'src/http/b', `import { B } from '../../http/b';`],
    ['B', 'src/x/http/z', `import { B } from './z';`],
  ])('get the name %s of %s', (name, file, line) => expect(wanted(name, file)).toContain(line));

  it('stay if the name is there', () => expect(wanted('T', 'src/http/b')).toBe(SOURCE));

  it('go if nothing uses them', () =>
    expect(withoutUnusedImports(`import { A, B, C } from 'a';\nimport { D } from 'd';\nB();\n`)).toBe(
      `import { B } from 'a';\nB();\n`,
    ));
});

describe('Comments', () => {
  const edited = (text: string) => editComments(text, (sentence) => sentence.includes('example'));

  it.each([
    ['/** One. The example. */\n', '/** One. */\n'],
    ['/** The example. */\nclass A {}\n', 'class A {}\n'],
    ['/**\n * One\n * two.\n */\n', '/** One two. */\n'],
    ['/**\n * One.\n *\n * The example.\n */\n', '/**\n * One.\n *\n * The example.\n */\n'],
  ])('%j become %j', (before, after) => expect(edited(before)).toBe(after));

  it('are wrapped at 100 characters', () => {
    const lines = edited(`  /** ${'word '.repeat(30)}end. */\n`)
      .trimEnd()
      .split('\n');
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([4, '  /**', '   */']);
    expect(lines.every((line) => line.length <= 100)).toBe(true);
  });
});

describe('Code without a limit of the plan', () => {
  it('opens a transaction in place of the check', () => {
    const source = `
      import { PlanLimitCheck } from '../../billing/billing.api';
      class A extends B<Result<T, 'NOT_FOUND' | 'PLAN_REQUIRED'>> {
        constructor(private readonly planLimits: PlanLimitCheck) {}
        execute() {
          return this.planLimits.within(actor, 'projects', async () => ok());
        }
      }`;
    const changed = withoutPlanLimit('src/a/commands/b.ts', source);
    expect(changed).toContain(`Result<T, 'NOT_FOUND'>`);
    expect(changed).toContain('private readonly unitOfWork: UnitOfWork');
    expect(changed).toContain('return this.unitOfWork.inTenant(actor, async () => ok());');
    expect(changed).not.toMatch(/planLimits|projects/);
  });

  it('declares no such failure', () => {
    const failures = '[F.notFound, BillingFailures.planRequired]';
    const source = `@Responds({ a, description: 'x', failures: ${failures} })\nclass A {}`;
    expect(withoutPlanLimit('a.ts', source)).toBe('@Responds({ a, failures: [F.notFound] })\nclass A {}');
  });
});

describe('Edits of a text', () => {
  it('do not depend on their order', () =>
    expect(
      applyEdits('abc', [
        { start: 0, end: 1, text: '1' },
        { start: 2, end: 3, text: '3' },
      ]),
    ).toBe('1b3'));

  it('are refused if they overlap', () =>
    expect(() =>
      applyEdits('abc', [
        { start: 0, end: 2, text: '' },
        { start: 1, end: 3, text: '' },
      ]),
    ).toThrow('overlap'));
});

import { AT_MOST, selectTests } from './test-selection';

const files = (...paths: string[]) => paths.map((path) => ({ path, text: '' }));
const DOCUMENTS = { path: 'test/architecture/line-lengths.spec.ts', text: "import { readFileSync } from 'node:fs';" };
const DATABASE = { path: 'test/architecture/migrations.spec.ts', text: "from '../support/database'" };
const TOOLS = { path: 'test/architecture/openapi-tools.spec.ts', text: "from 'quicktype-core'" };
const BORDERS = { path: 'test/architecture/borders.spec.ts', text: "from 'node:child_process'" };

describe('the tests of a change', () => {
  it('are architecture tests that read files, for any change', () => {
    const tests = [DOCUMENTS, DATABASE, TOOLS, BORDERS, ...files('test/e2e/projects/projects.e2e-spec.ts')];
    expect(selectTests(['docs/testing.md'], new Set(), tests)).toEqual({ run: [DOCUMENTS.path], left: [] });
  });

  it('are related tests, however many, unless they start the service', () => {
    const units = Array.from({ length: 30 }, (_, n) => `src/billing/domain/price-${n}.spec.ts`);
    const related = new Set([...units, BORDERS.path]);
    const { run, left } = selectTests(['src/billing/domain/price.ts'], related, [BORDERS, ...files(...units)]);
    expect([run, left]).toEqual([[BORDERS.path, ...units], []]);
  });

  it('are those of the module, whose files are loaded by folder without an import', () => {
    const tests = files('test/e2e/keys/api-keys.e2e-spec.ts', 'test/e2e/projects/projects.e2e-spec.ts');
    const { run } = selectTests(['src/projects/commands/rename-project.ts'], new Set(), tests);
    expect(run).toEqual(['test/e2e/projects/projects.e2e-spec.ts']);
  });

  it('are the few that share the most words with the change, if many start the service', () => {
    const many = Array.from({ length: 12 }, (_, n) => `test/e2e/billing/case-${n + 10}.e2e-spec.ts`);
    const checkout = 'test/e2e/billing/checkouts.e2e-spec.ts';
    const change = ['src/billing/checkout/commands/start-checkout.ts'];
    const { run, left } = selectTests(change, new Set(), files(...many, checkout));
    expect(run).toEqual([checkout, ...many.slice(0, AT_MOST - 1)]);
    expect(left).toEqual(many.slice(AT_MOST - 1));
  });

  it('are all changed tests', () => {
    const changed = Array.from({ length: 12 }, (_, n) => `test/e2e/auth/case-${n + 10}.e2e-spec.ts`);
    expect(selectTests(changed, new Set(changed), files(...changed))).toEqual({ run: changed, left: [] });
  });
});

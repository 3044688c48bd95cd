import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RepositoryCopy, type Outcome } from '../support/repository-copy';

jest.setTimeout(300_000);

const FIELDS = [
  'number:text',
  'title:name',
  'amount:integer?',
  'rate:number',
  'recurring:flag',
  'dueAt:moment?',
  'sentAt:moment',
  'issued:day',
  'note:text?',
];
const SUITES = [
  'test/e2e/purchase-orders',
  'test/e2e/shipments',
  'test/e2e/isolation',
  'test/e2e/accounts/data-exports',
  'src/billing/entitlements',
];
const CHECKS = [
  'audit-actions',
  'borders',
  'client-types',
  'document-references',
  'documented-routes',
  'entities',
  'erd',
  'file-names',
  'jobs',
  'line-lengths',
  'mails',
  'migrations',
  'permissions',
  'public-events',
  'raw-sql',
  'routes',
  'tenant-tables',
].map((name) => `test/architecture/${name}\\.spec`);
/** Fails with everything that a command printed, unless it succeeded. */
const expectSuccess = ({ status, output }: Outcome) => expect(status === 0 ? '' : output).toBe('');

describe('npm run make:module', () => {
  let copy: RepositoryCopy;
  beforeAll(() => {
    copy = new RepositoryCopy();
  });
  afterAll(() => copy.remove());

  it.each<[string, string[], RegExp]>([
    ['without a name', [], /^Usage: npm run make:module/],
    ['without a field', ['shipments'], /Give at least one field/],
    ['of the name of a module', ['projects', 'name:text'], /There is a module projects/],
    ['of the name of a table', ['sessions', 'name:text'], /There is a table sessions/],
    ['of the name of a route', ['members', 'name:text'], /There is a route \/tenants\/current\/members/],
    ['of a name whose classes are taken', ['plans', 'name:text'], /There is a class (Change|List)Plan/],
    ['of a word of SQL', ['tables', 'name:text'], /The singular table is a word of SQL/],
    ['of a word of TypeScript', ['classes', 'name:text'], /The singular class is a word of TypeScript/],
    ['of a noun in -ing', ['bookings', 'name:text'], /The singular booking ends in -ing/],
    ['without a singular', ['sheep', 'name:text'], /sheep is no regular plural. Add `--singular`/],
    ['with an unknown type', ['shipments', 'name:string'], /unknown type string/],
    ['with a field twice', ['shipments', 'name:text', 'name:flag'], /given twice/],
    ['with a field that every entity has', ['shipments', 'createdAt:moment'], /createdAt is one that every entity has/],
    ['with a column that is a word of SQL', ['shipments', 'order:integer'], /order is a word of SQL/],
    ['with an unknown option', ['shipments', 'name:text', '--limits', '3'], /--limits/],
  ])('refuses a module %s and changes nothing', (_what, args, message) => {
    const { status, output } = copy.make('module', ...args);
    expect([status, output]).toEqual([1, expect.stringMatching(message)]);
    expect(copy.changes).toEqual([]);
  });

  it.each<[string, string[], RegExp]>([
    ['command', ['wagons', 'approve-wagon'], /There is no module wagons. There are accounts, /],
    ['command', ['projects', 'approve'], /Name the command by a verb and project/],
    ['command', ['projects', 'delete-project'], /delete-project.ts exists already/],
    ['command', ['tenants', 'approve-tenant'], /There is no class TenantChanged to copy/],
    ['query', ['projects', 'list-projects'], /Name the query list-…-projects or count-…-projects/],
    ['job', ['projects', 'remind-projects'], /Name the job by a verb and project/],
    ['job', ['projects', 'remind-projects', '--cron', 'daily'], /Write the schedule as five fields/],
    ['notification', ['projects', 'project-approved'], /There is no event ProjectApproved in src\/projects/],
    ['mail', ['projects', 'due'], /Name the mail by several words/],
  ])('refuses a wrong %s and changes nothing: %j', (kind, args, message) => {
    const { status, output } = copy.make(kind, ...args);
    expect([status, output]).toEqual([1, expect.stringMatching(message)]);
    expect(copy.changes).toEqual([]);
  });

  it('accepts the module that the guide makes', () => {
    const guide = readFileSync('docs/add-a-module.md', 'utf8');
    const [, args] = /`npm run make:module -- (.*?)`/.exec(guide)!;
    expectSuccess(copy.make('module', ...args.split(' '), '--dry-run'));
  });

  it('shows what it would do, and changes nothing', () => {
    const { output } = copy.make('module', 'shipments', 'name:text', '--dry-run');
    expect(output).toMatch(/^Would create:\n {2}src\/shipments\//);
    expect(copy.changes).toEqual([]);
  });

  it('leaves everything as it was if a script that follows fails', () => {
    const generator = join(copy.folder, 'client/generate.mjs');
    const working = readFileSync(generator, 'utf8');
    writeFileSync(generator, `${working}\nprocess.exit(1);\n`);
    expect(copy.make('module', 'shipments', 'name:text').status).toBe(1);
    expect(copy.changes).toEqual(['client/generate.mjs']);
    writeFileSync(generator, working);
  });

  it('makes modules that compile and pass their tests and the checks', () => {
    expectSuccess(copy.make('module', 'purchase-orders', ...FIELDS));
    copy.keep();
    expectSuccess(copy.make('command', 'purchase-orders', 'approve-purchase-order', '--skip-scripts'));
    expectSuccess(copy.make('query', 'purchase-orders', 'list-overdue-purchase-orders', '--skip-scripts'));
    expectSuccess(copy.make('query', 'purchase-orders', 'count-purchase-orders', '--skip-scripts'));
    expectSuccess(copy.make('notification', 'purchase-orders', 'purchase-order-approved', '--skip-scripts'));
    expectSuccess(copy.make('job', 'purchase-orders', 'remind-purchase-order'));
    expectSuccess(copy.make('job', 'purchase-orders', 'archive-purchase-orders', '--cron', '13 6 * * *'));
    expectSuccess(copy.make('mail', 'purchase-orders', 'purchase-order-due'));
    expectSuccess(copy.make('module', 'shipments', 'name:text', 'weight:integer?', '--limit', '2'));
    copy.keep();
    expectSuccess(copy.run(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit']));
    const sources = ['src/purchase-orders', 'src/shipments', 'test/e2e/purchase-orders'];
    expectSuccess(copy.run(process.execPath, ['node_modules/eslint/bin/eslint.js', '--no-cache', ...sources]));
    const jest = ['node_modules/jest/bin/jest.js', '--ci', '--maxWorkers=2', ...SUITES, ...CHECKS];
    expectSuccess(copy.run(process.execPath, jest));
    expect(copy.changes).toEqual([]);
  });
});

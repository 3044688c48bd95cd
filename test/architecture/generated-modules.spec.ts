import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { make } from '../../dev/make/make-sources';
import { RepositoryCopy, type Outcome } from '../support/repository-copy';
import { typedFindings } from '../support/typed-checks';

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
/** What is made in one process. The next module is made alone, with the scripts that follow. */
const PURCHASE_ORDERS = [
  ['module', 'purchase-orders', ...FIELDS],
  ['command', 'purchase-orders', 'approve-purchase-order'],
  ['query', 'purchase-orders', 'list-overdue-purchase-orders'],
  ['query', 'purchase-orders', 'count-purchase-orders'],
  ['notification', 'purchase-orders', 'purchase-order-approved'],
  ['job', 'purchase-orders', 'remind-purchase-order'],
  ['job', 'purchase-orders', 'archive-purchase-orders', '--cron', '13 6 * * *'],
  ['mail', 'purchase-orders', 'purchase-order-due'],
];
const FAILING_SCRIPT = `
  import { writeFileSync } from 'node:fs';
  for (const file of ['client/openapi.json', 'client/src/schema.ts']) writeFileSync(file, 'half');
  process.exit(1);`;

/** Whether a source imports one of these files, by their last names. */
const importsOneOf = (files: readonly string[], text: string): boolean => {
  const names = files.filter((file) => file.endsWith('.ts')).map((file) => basename(file, '.ts'));
  return new RegExp(`from '[^']*/(${names.join('|')})'`).test(text);
};

/** Fails with everything that a command printed, unless it succeeded. */
const expectSuccess = ({ status, output }: Outcome) => expect(status === 0 ? '' : output).toBe('');

describe('npm run make:module', () => {
  let copy: RepositoryCopy;
  beforeAll(() => {
    copy = new RepositoryCopy();
  });
  afterAll(() => copy.remove());

  async function expectRefusal(message: RegExp, ...call: string[]): Promise<void> {
    await expect(make(copy.folder, call)).rejects.toThrow(message);
    expect(copy.changes).toEqual([]);
  }

  it('ends with code 1 and the reason if it refuses', () =>
    expect(copy.make('module', 'projects', 'name:text')).toEqual({
      status: 1,
      output: 'There is a module projects already.\nNothing was changed.\n',
    }));

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
    return expectRefusal(message, 'module', ...args);
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
    return expectRefusal(message, kind, ...args);
  });

  it('shows what it would do for the module that the guide makes, and changes nothing', () => {
    const guide = readFileSync('docs/add-a-module.md', 'utf8');
    const [, args] = /`npm run make:module -- (.*?)`/.exec(guide)!;
    const { status, output } = copy.make('module', ...args.split(' '), '--dry-run');
    expect([status, output]).toEqual([0, expect.stringMatching(/^Would create:\n {2}src\/shipments\//)]);
    expect(copy.changes).toEqual([]);
  });

  it('leaves everything as it was if a script that follows fails', () => {
    const script = join(copy.folder, 'dev/client-types.mjs');
    const working = readFileSync(script, 'utf8');
    writeFileSync(script, FAILING_SCRIPT);
    expect(copy.make('module', 'shipments', 'name:text').status).toBe(1);
    expect(copy.changes).toEqual(['dev/client-types.mjs']);
    writeFileSync(script, working);
  });

  it('makes modules that compile and pass their tests and the checks', () => {
    expectSuccess(copy.makeAll(PURCHASE_ORDERS));
    expectSuccess(copy.make('module', 'shipments', 'name:text', 'weight:integer?', '--limit', '2'));
    const written = copy.changes;
    copy.keep();
    const affected = copy.sources.filter((file) => written.includes(file) || importsOneOf(written, copy.textOf(file)));
    const lint = copy.sources.filter((file) => /^(src|test\/e2e)\/(purchase-orders|shipments)\//.test(file));
    expect(lint.length).toBeGreaterThan(30);
    expect(typedFindings({ types: affected, lint }, copy.folder)).toEqual([]);
    expectSuccess(copy.run(process.execPath, ['node_modules/jest/bin/jest.js', '--ci', '-i', ...SUITES, ...CHECKS]));
    expect(copy.changes).toEqual([]);
  });
});

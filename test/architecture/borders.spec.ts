import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

type Files = Readonly<Record<string, string>>;

/** The names of the rules that each of these small source trees breaks. */
function brokenIn(sources: readonly Files[]): string[][] {
  const trees = sources.map(() => realpathSync(mkdtempSync(join(tmpdir(), 'tenantry-borders-'))));
  try {
    trees.forEach((tree, index) => writeTree(tree, sources[index]));
    const command = ['test/support/borders-cruise.mjs', ...trees];
    return JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8' })) as string[][];
  } finally {
    for (const tree of trees) rmSync(tree, { recursive: true, force: true });
  }
}

function writeTree(tree: string, files: Files): void {
  for (const file of ['.dependency-cruiser.cjs', 'src/modules.ts', 'tsconfig.json', 'package.json'])
    cpSync(file, join(tree, file));
  symlinkSync(join(process.cwd(), 'node_modules'), join(tree, 'node_modules'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), text);
  }
}

const file = (target: string) => `import { x } from '${target}';\nexport const y = x;\n`;
const X = 'export const x = 1;\n';
/** The folders of the modules, in the order of their dependencies. */
const [, MODULES] = readFileSync('src/modules.ts', 'utf8').match(/MODULES = \[([^\]]+)\]/)!;
const folderOf = (name: string) => name.replace(/(?<=.)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
const ORDER = [...MODULES.matchAll(/(\w+)Module/g)].map(([, name]) => folderOf(name));

/** A rule, and a tree that breaks it and no other. */
const BREACHES: readonly [string, Files][] = [
  [
    'no-circular-imports',
    {
      'src/platform/a.ts': "import { x } from './b';\nexport const y = x;",
      'src/platform/b.ts': "import { y } from './a';\nexport const x = y;",
    },
  ],
  ['the-service-imports-no-dev-test-or-bench', { 'src/platform/a.ts': file('../../dev/b'), 'dev/b.ts': X }],
  ['config-imports-nothing', { 'src/config/a.ts': file('../platform/b'), 'src/platform/b.ts': X }],
  ['platform-imports-no-http-and-no-module', { 'src/platform/a.ts': file('../http/b'), 'src/http/b.ts': X }],
  ['http-imports-no-module', { 'src/http/a.ts': file('../users/users.api'), 'src/users/users.api.ts': X }],
  ['every-folder-is-listed-in-src-modules', { 'src/tasks/a.ts': file('../users/data/b'), 'src/users/data/b.ts': X }],
  ['users-imports-only-earlier-modules', { 'src/users/a.ts': file('../auth/auth.api'), 'src/auth/auth.api.ts': X }],
  ['modules-import-each-others-api-only', { 'src/auth/a.ts': file('../users/data/b'), 'src/users/data/b.ts': X }],
  ['domain-imports-no-other-folder', { 'src/auth/domain/a.ts': file('../data/b'), 'src/auth/data/b.ts': X }],
  ['data-imports-no-use-case', { 'src/auth/data/a.ts': file('../commands/b'), 'src/auth/commands/b.ts': X }],
  ['services-start-no-use-case', { 'src/auth/services/a.ts': file('../commands/b'), 'src/auth/commands/b.ts': X }],
  ['services-start-no-use-case', { 'src/auth/services/a.ts': file('../mails/b'), 'src/auth/mails/b.ts': X }],
  [
    'services-start-no-use-case',
    { 'src/billing/sync/services/a.ts': file('../commands/b'), 'src/billing/sync/commands/b.ts': X },
  ],
  [
    'listeners-import-no-http-and-no-query',
    { 'src/auth/listeners/a.ts': file('../queries/b'), 'src/auth/queries/b.ts': X },
  ],
  ['mails-start-no-other-use-case', { 'src/auth/mails/a.ts': file('../commands/b'), 'src/auth/commands/b.ts': X }],
  [
    'notification-data-import-domain-only',
    { 'src/auth/notifications/a.ts': file('../services/b'), 'src/auth/services/b.ts': X },
  ],
  ['adapters-start-no-use-case', { 'src/billing/stripe/a.ts': file('../commands/b'), 'src/billing/commands/b.ts': X }],
  ['use-cases-import-no-http', { 'src/auth/queries/a.ts': file('../http/views/b'), 'src/auth/http/views/b.ts': X }],
  [
    'use-cases-import-views-as-types-only',
    {
      'src/auth/queries/a.ts': "import type { x } from '../http/b';\nexport type Y = typeof x;\n",
      'src/auth/http/b.ts': X,
    },
  ],
  ['use-cases-import-no-http', { 'src/auth/commands/a.ts': file('../http/b'), 'src/auth/http/b.ts': X }],
  ['http-imports-no-data', { 'src/auth/http/a.ts': file('../data/b'), 'src/auth/data/b.ts': X }],
  [
    'schedules-use-the-scheduler',
    { 'src/auth/a.ts': "import { Cron } from '@nestjs/schedule';\nexport const y = Cron;" },
  ],
  ['no-undeclared-package', { 'src/platform/a.ts': "import * as jest from 'jest';\nexport const y = jest;" }],
];
const EVERY_MODULE: Files = Object.assign(
  {},
  ...ORDER.slice(0, -1).map((name, index) => {
    const later = ORDER[index + 1];
    return { [`src/${name}/a.ts`]: file(`../${later}/${later}.api`), [`src/${later}/${later}.api.ts`]: X };
  }),
);
const PERMITTED: Files = {
  'src/auth/a.ts': file('../users/users.api'),
  'src/users/users.api.ts': "export { x } from './domain/b';\n",
  'src/users/domain/b.ts': X,
};

// `npm run borders` checks the real source tree. Here each rule is broken by a small one.
describe('The dependency rules', () => {
  let results: string[][];

  beforeAll(() => {
    results = brokenIn([...BREACHES.map(([, files]) => files), EVERY_MODULE, PERMITTED]);
  });

  it.each(BREACHES.map(([rule], index) => [rule, index] as const))('%s', (rule, index) => {
    expect(results[index]).toEqual([rule]);
  });

  it('include one for each module but the last, which may use all others', () => {
    const names = ORDER.map((name) => `${name}-imports-only-earlier-modules`);
    expect(results.at(-2)!.sort()).toEqual(names.slice(0, -1).sort());
  });

  it('allow permitted imports', () => {
    expect(results.at(-1)).toEqual([]);
  });
});

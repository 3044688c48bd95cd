// The borders of docs/architecture.md. test/architecture/borders.spec.ts breaks each rule once.
/* eslint-disable @typescript-eslint/no-require-imports -- a CommonJS file */
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const [, listed] = readFileSync(join(__dirname, 'src', 'modules.ts'), 'utf8').match(/MODULES = \[([^\]]+)\]/);
const folderOf = (name) => name.replace(/(?<=.)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
/** The modules in the order of their dependencies: each may use those before it. */
const ORDER = listed.match(/\w+(?=Module\b)/g).map(folderOf);
const any = ORDER.join('|');
/** Folders of a module; billing has areas, each with the same folders. */
const room = (...names) => [`^src/[^/]+/(${names.join('|')})/`, `^src/[^/]+/[^/]+/(${names.join('|')})/`];

module.exports = {
  forbidden: [
    { name: 'no-circular-imports', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'the-service-imports-no-dev-test-or-bench',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(dev|test|bench)/' },
    },
    {
      name: 'config-imports-nothing',
      severity: 'error',
      from: { path: '^src/config/' },
      to: { path: '^src/(?!config/)' },
    },
    {
      name: 'platform-imports-no-http-and-no-module',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: `^src/(http|${any})/` },
    },
    {
      name: 'every-folder-is-listed-in-src-modules', // the other rules hold for listed modules
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: `^src/(config|platform|http|${any})/` },
      to: {},
    },
    { name: 'http-imports-no-module', severity: 'error', from: { path: '^src/http/' }, to: { path: `^src/(${any})/` } },
    ...ORDER.map((name, index) => ({
      name: `${name}-imports-only-earlier-modules`,
      severity: 'error',
      from: { path: `^src/${name}/` },
      to: { path: `^src/(${ORDER.slice(index + 1).join('|') || '(none)'})/` },
    })),
    {
      name: 'modules-import-each-others-api-only',
      severity: 'error',
      from: { path: `^src/(${any})/` },
      to: { path: `^src/(${any})/`, pathNot: ['^src/$1/', '\\.(api|module)\\.ts$'] },
    },
    {
      name: 'domain-imports-no-other-folder',
      severity: 'error',
      from: { path: room('domain') },
      to: { path: ['^src/http/', ...room('http', 'commands', 'queries', 'services', 'listeners', 'data')] },
    },
    {
      name: 'data-imports-no-use-case',
      severity: 'error',
      from: { path: room('data') },
      to: { path: room('http', 'commands', 'queries', 'services', 'listeners', 'mails') },
    },
    {
      name: 'services-start-no-use-case',
      severity: 'error',
      from: { path: room('services') },
      to: { path: room('http', 'commands', 'queries', 'listeners', 'mails') },
    },
    {
      name: 'listeners-import-no-http-and-no-query',
      severity: 'error',
      from: { path: room('listeners') },
      to: { path: room('http', 'queries') },
    },
    {
      name: 'mails-start-no-other-use-case', // a mail may have a job, which may read what it says
      severity: 'error',
      from: { path: room('mails') },
      to: { path: room('http', 'commands', 'queries', 'listeners') },
    },
    {
      name: 'notification-data-import-domain-only',
      severity: 'error',
      from: { path: room('notifications') },
      to: { path: room('http', 'commands', 'queries', 'services', 'listeners', 'data', 'mails') },
    },
    {
      name: 'adapters-start-no-use-case', // the clients of Stripe and of identity providers
      severity: 'error',
      from: { path: room('stripe', 'providers') },
      to: { path: room('commands', 'queries', 'listeners') },
    },
    {
      name: 'use-cases-import-no-http',
      severity: 'error',
      from: { path: room('commands', 'queries') },
      to: { path: room('http'), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'use-cases-import-views-as-types-only',
      severity: 'error',
      from: { path: room('commands', 'queries') },
      to: { path: room('http'), pathNot: '/http/views/', dependencyTypes: ['type-only'] },
    },
    { name: 'http-imports-no-data', severity: 'error', from: { path: room('http') }, to: { path: room('data') } },
    {
      name: 'schedules-use-the-scheduler', // a job of @Cron would run once on each instance
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/(jobs/scheduler|platform\\.module)\\.ts$' },
      to: { path: 'node_modules/@nestjs/schedule/' },
    },
    {
      name: 'no-undeclared-package',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['\\.spec\\.ts$', '^src/modules\\.ts$'] },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'default', 'types'],
    },
  },
};

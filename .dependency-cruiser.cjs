// The borders of docs/architecture.md. A sample of each breach is seen to fail in
// test/architecture/borders.spec.ts.
/** Modules from the ground up: each may use those before it. */
const ORDER = ['users', 'tenants', 'notifications', 'audit', 'billing', 'auth', 'projects', 'admin'];
const any = ORDER.join('|');

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nothing-of-dev-or-test-in-the-service',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(dev|test|bench)/' },
    },
    {
      name: 'config-knows-nobody',
      severity: 'error',
      from: { path: '^src/config/' },
      to: { path: '^src/(?!config/)' },
    },
    {
      name: 'platform-knows-no-http-and-no-module',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: `^src/(http|${any})/` },
    },
    { name: 'http-knows-no-module', severity: 'error', from: { path: '^src/http/' }, to: { path: `^src/(${any})/` } },
    ...ORDER.map((name, index) => ({
      name: `${name}-knows-only-modules-below-it`,
      severity: 'error',
      from: { path: `^src/${name}/` },
      to: { path: `^src/(${ORDER.slice(index + 1).join('|') || '(none)'})/` },
    })),
    {
      name: 'modules-meet-at-their-contract',
      severity: 'error',
      from: { path: `^src/(${any})/` },
      to: { path: `^src/(${any})/`, pathNot: ['^src/$1/', '\\.(contract|module)\\.ts$'] },
    },
    {
      name: 'domain-knows-no-other-room',
      severity: 'error',
      from: { path: '^src/[^/]+/domain/' },
      to: { path: '^src/(http/|[^/]+/(http|commands|queries|data)/)' },
    },
    {
      name: 'data-serves-and-does-not-ask',
      severity: 'error',
      from: { path: '^src/[^/]+/data/' },
      to: { path: '^src/[^/]+/(http|commands|queries)/' },
    },
    {
      name: 'use-cases-know-no-http',
      severity: 'error',
      from: { path: '^src/[^/]+/(commands|queries)/' },
      to: { path: '^src/[^/]+/http/' },
    },
    {
      name: 'http-goes-through-the-bus',
      severity: 'error',
      from: { path: '^src/[^/]+/http/' },
      to: { path: '^src/[^/]+/data/' },
    },
    {
      name: 'schedules-are-on-the-timetable', // a job of @Cron would run once on each instance
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
    exclude: { path: '\\.spec\\.ts$' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'default', 'types'],
    },
  },
};

// Five suites: pure rules beside their files, the habits as checks, the whole service over HTTP on
// a real PostgreSQL, its plans in a large database, and the typed client against it.
const shared = {
  rootDir: __dirname,
  testEnvironment: 'node',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
};

module.exports = {
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/{src,dev,bench}/**/*.spec.ts'] },
    {
      ...shared,
      displayName: 'architecture',
      testMatch: ['<rootDir>/test/architecture/*.spec.ts'],
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/e2e/**/*.e2e-spec.ts'],
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
    {
      ...shared,
      displayName: 'plans',
      testMatch: ['<rootDir>/test/plans/*.spec.ts'],
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
    {
      ...shared,
      displayName: 'client',
      testMatch: ['<rootDir>/test/client/*.spec.ts'],
      // the client is written for ES modules, which name the file they become
      moduleNameMapper: { '^(\\.\\.?/.*)\\.js$': '$1' },
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
  ],
  maxWorkers: 3,
  // Jest keeps memory of each test file. Without a limit, collecting garbage slows the later files.
  workerIdleMemoryLimit: '1GB',
  // No test waits this long. A busy machine may take tens of seconds to start several instances.
  testTimeout: 60_000,
};

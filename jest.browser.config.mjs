// Apart from `npm test`: these need a browser (Debian's chromium, or another by CHROMIUM) and local
// mode built.
import service from './jest.config.js';

const [{ rootDir, testEnvironment, transform }] = service.projects;

export default {
  rootDir,
  testEnvironment,
  transform,
  testMatch: ['<rootDir>/test/browser/*.spec.ts'],
  globalSetup: '<rootDir>/test/browser/global-setup.ts',
  globalTeardown: '<rootDir>/test/browser/global-teardown.ts',
  testTimeout: 120_000,
};

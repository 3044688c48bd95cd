import { newSecretsKeys, newSigningKey } from '../../dev/local-keys';
import { readSettings, type Settings } from '../../src/config/settings';

/** One key for all test files of a run, because generating one takes a while. */
export const TEST_KEY = process.env.TEST_SIGNING_KEY ?? newSigningKey();

/** The required settings. */
export const REQUIRED = {
  DATABASE_URL: 'postgres://tenantry:pw@127.0.0.1:5432/tenantry',
  JWT_PRIVATE_KEY: TEST_KEY,
  SECRETS_KEYS: newSecretsKeys(),
  SMTP_URL: 'smtp://127.0.0.1:2525',
  MAIL_FROM: 'Tenantry <hello@tenantry.test>',
};

/** The settings that production requires in addition. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  BASE_URL: 'https://api.tenantry.test',
  FRONTEND_URL: 'https://app.tenantry.test',
};

/** Settings for a test, read from environment variables. */
export function testSettings(variables: NodeJS.ProcessEnv = {}): Settings {
  return readSettings({ ...REQUIRED, NODE_ENV: 'test', LOG_LEVEL: 'warn', ...variables });
}

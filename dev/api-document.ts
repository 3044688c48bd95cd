import { createApp } from '../src/app';
import { readSettings } from '../src/config/settings';
import { openApiDocument } from '../src/http/openapi/openapi-document';
import { newSecretsKeys, newSigningKey } from './local-keys';

/** Prints the API document, as the typed client is made from it. Nothing is connected to. */
async function main(): Promise<void> {
  const settings = readSettings({
    NODE_ENV: 'test',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'nobody@localhost.test',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    JWT_PRIVATE_KEY: newSigningKey(),
    SECRETS_KEYS: newSecretsKeys(),
    LOG_LEVEL: 'silent',
  });
  const app = await createApp(settings);
  process.stdout.write(JSON.stringify(openApiDocument(app, settings)), () => process.exit(0));
}

void main();

import '../src/config/thread-pool';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readDatabaseUrls, type DatabaseUrls } from '../src/config/database-urls';
import { environmentOf, processEnvironment } from '../src/config/read-environment';
import { readSettings } from '../src/config/settings';
import { ENTITY_CLASSES } from '../src/entities';
import { migrate } from '../src/platform/database/migrate';
import { STATIC_APPS, serveStaticApp } from '../src/http/responses/static-apps';
import { serve } from '../src/serve';
import { DEMO_PASSWORD, DEMO_USERS } from './demo-users';
import { startPostgres } from './embedded-postgres';
import { IdentityProvider } from './identity-provider';
import { StripeStandIn } from './stripe/stripe-stand-in';
import { secretsKeysIn, signingKeyIn } from './local-keys';
import { takeLock } from './local-lock';
import { LocalPorts } from './local-ports';
import { CATCH_PATH } from './catcher-page';
import { serveInbox } from './inbox-page';
import { serveMailGallery } from './mail-gallery';
import { MailInbox } from './mail-inbox';
import { serveDemoRenewal } from './renew-demo';
import { seed, seedDemo } from './seed';
import { serviceDatabase } from './service-database';
import { serveStartPage, type Place } from './start-page';
import { WebhookCatcher } from './webhook-catcher';

/**
 * The data folder and the preferred ports. With LOCAL_FOLDER it runs beside other instances, on any
 * free ports.
 */
const OWN_FOLDER = processEnvironment().LOCAL_FOLDER;
const FOLDER = resolve(OWN_FOLDER || '.data');
const PORTS = OWN_FOLDER
  ? { service: 0, inbox: 0, identityProvider: 0, processor: 0 }
  : { service: 3000, inbox: 8025, identityProvider: 8026, processor: 4242 };

/** Ctrl-C during the start: what has been started ends with this process. */
const abortStart = () => process.exit(130);

/** Runs a step and prints how long it took. */
async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  process.stdout.write(`  ${what} …`);
  const start = performance.now();
  const outcome = await work();
  process.stdout.write(` done (${((performance.now() - start) / 1000).toFixed(1)} s)\n`);
  return outcome;
}

/**
 * Local mode (docs/contract.md, Local mode): starts the service with defaults for all settings, and
 * with the embedded database and stand-ins behind them.
 */
async function main(): Promise<void> {
  const env = processEnvironment();
  if (env.NODE_ENV === 'production')
    throw new Error(
      'Local mode uses an embedded database and generated keys. For production, use `npm run start:prod`.',
    );
  mkdirSync(FOLDER, { recursive: true });
  process.on('SIGINT', abortStart).on('SIGTERM', abortStart);
  const releaseLock = takeLock(join(FOLDER, 'local.pid'));
  const postgres = env.DATABASE_URL ? undefined : await step('Starting PostgreSQL', () => startPostgres(FOLDER));
  const database = postgres ? await serviceDatabase(postgres, 'tenantry') : readDatabaseUrls(env);
  writeFileSync(join(FOLDER, 'database-url'), database.service, { mode: 0o600 }); // for psql and `npm run admin`
  await step('Migrating the database', () => migrateOrExplain(database, environmentOf(env).AUDIT_RETENTION_MONTHS));

  const inbox = new MailInbox(join(FOLDER, 'mails.jsonl'));
  await inbox.start();
  const ports = new LocalPorts(join(FOLDER, 'ports.json'), PORTS);
  const port = Number(env.PORT) || (await ports.portOf('service'));
  const baseUrl = env.BASE_URL || `http://localhost:${port}`;
  const inboxPort = await ports.portOf('inbox');
  const catcher = new WebhookCatcher(join(FOLDER, 'webhook-secrets'));
  const inboxPage = await serveInbox({ inbox, catcher, galleryUrl: `${baseUrl}/mails` }, inboxPort);
  const identityProvider = new IdentityProvider();
  await identityProvider.start(await ports.portOf('identityProvider'));
  const processor = env.PROCESSOR_SECRET_KEY ? undefined : new StripeStandIn({ file: join(FOLDER, 'processor.json') });
  await processor?.start(await ports.portOf('processor'));

  const defaults = {
    HOST: '127.0.0.1',
    BASE_URL: baseUrl,
    FRONTEND_URL: `${baseUrl}/app`,
    DATABASE_URL: database.service,
    JWT_PRIVATE_KEY: signingKeyIn(join(FOLDER, 'jwt-private-key.pem')),
    SECRETS_KEYS: secretsKeysIn(join(FOLDER, 'secrets-keys')),
    SMTP_URL: inbox.smtpUrl,
    MAIL_FROM: 'Tenantry <hello@localhost.test>',
    ...unlessConfigured(identityProvider.settings, env),
    ...processor?.settings,
    ADMIN_EMAILS: DEMO_USERS[0].email,
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    LOG_PRETTY: 'true',
  };
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const stopAll = async () => {
    inboxPage.closeAllConnections();
    inboxPage.close();
    await identityProvider.stop();
    await processor?.stop();
    await inbox.stop();
    await postgres?.stop();
    releaseLock();
  };
  const places: Place[] = [
    {
      name: 'Sample client',
      url: `${baseUrl}/app`,
      about: 'Register, sign in, invite and pay, as in your own web client',
    },
    {
      name: 'Operators’ panel',
      url: `${baseUrl}/admin`,
      about: 'Users, tenants, jobs, webhooks and the audit log. Sign in as the admin.',
    },
    {
      name: 'Email inbox',
      url: `http://localhost:${inboxPort}`,
      about: 'Every email that the service sends. Nothing leaves this machine.',
    },
    {
      name: 'Webhook catcher',
      url: `http://localhost:${inboxPort}/webhooks`,
      about: 'Receives the webhooks of Acme, verifies them, and fails on demand',
    },
    {
      name: 'Email gallery',
      url: `${baseUrl}/mails`,
      about: 'Every kind of email with sample data, as HTML and text',
    },
    ...(processor
      ? [
          {
            name: 'Stripe stand-in',
            url: processor.url,
            about: 'Cards, the promotion code WELCOME20, a clock, and webhook deliveries with optional faults',
          },
        ]
      : []),
    {
      name: 'Google and GitHub',
      url: identityProvider.url,
      about: 'A stand-in for both providers and their accounts',
    },
    {
      name: 'API documentation',
      url: `${baseUrl}/docs`,
      about: 'All routes with bodies and error codes, to read and try. /openapi.json is for client generators.',
    },
  ];
  const settings = readSettings({ ...defaults, ...given, PORT: String(port) });
  const receiver = { url: `http://127.0.0.1:${inboxPort}${CATCH_PATH}/acme`, catcher };
  await serve(settings, {
    pages: (app) => {
      if (OWN_FOLDER) serveDemoRenewal(app, () => seedDemo(app, processor, receiver));
      serveStartPage(app, places);
      serveMailGallery(app);
      serveStaticApp(app, '/app', join(STATIC_APPS, 'app'), settings);
    },
    seed: (app) => seed(app, processor, receiver),
    afterwards: stopAll,
  });
  processor?.deliverTo(`http://127.0.0.1:${port}/api/v1/webhooks/stripe`);
  process.off('SIGINT', abortStart).off('SIGTERM', abortStart); // the service now stops gracefully by itself
  writeFileSync(
    join(FOLDER, 'places.json'),
    JSON.stringify(Object.fromEntries(places.map(({ name, url }) => [name, url]))),
  );
  announce(baseUrl, places);
}

/**
 * The settings of the stand-in, without providers that are configured. A provider's settings are
 * never mixed.
 */
function unlessConfigured(standIn: Record<string, string>, env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(standIn).filter(([name]) => !env[`${name.split('_')[0]}_CLIENT_ID`]));
}

/**
 * Migrates. An error names the setting DATABASE_URL, since the server may not be the embedded one.
 */
async function migrateOrExplain(urls: DatabaseUrls, retentionMonths?: number): Promise<void> {
  try {
    await migrate(urls, ENTITY_CLASSES, retentionMonths);
  } catch (error) {
    const { hostname, port, pathname } = new URL(urls.owner);
    throw new Error(
      `Cannot migrate the database of DATABASE_URL (${hostname}:${port || 5432}${pathname}): ` +
        (error as Error).message,
      {
        cause: error,
      },
    );
  }
}

/** Prints the addresses and the demo users, which the start page shows too. */
function announce(baseUrl: string, places: readonly Place[]): void {
  const clicks = [{ name: 'Start here', url: baseUrl }, ...places]
    .map(({ name, url }) => `    ${name.padEnd(19)} ${url}`)
    .join('\n');
  const logins = DEMO_USERS.map(({ email, role }) => `    ${email.padEnd(22)} ${DEMO_PASSWORD}   (${role})`).join('\n');
  process.stdout.write(`
  Tenantry is running:

${clicks}

  Demo users:

${logins}

  Press Ctrl-C to stop. \`npm run reset\` deletes all data.

`);
}

main().catch((error: Error) => {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
});

import '../src/config/thread-pool';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { processEnvironment, readDatabaseUrls, readSettings, type DatabaseUrls } from '../src/config/settings';
import { ENTITY_CLASSES } from '../src/entities';
import { migrate } from '../src/platform/database/migrate';
import { STATIC_APPS, serveStaticApp } from '../src/http/responses/static-apps';
import { serve } from '../src/serve';
import { DEMO_PASSWORD, DEMO_USERS } from './demo-users';
import { startPostgres } from './embedded-postgres';
import { freePort } from './free-port';
import { IdentityProvider } from './identity-provider';
import { StripeStandIn } from './stripe/stripe-stand-in';
import { signingKeyIn } from './local-keys';
import { takeLock } from './local-lock';
import { serveInbox } from './inbox-page';
import { MailInbox } from './mail-inbox';
import { seed } from './seed';
import { serviceDatabase } from './service-database';
import { serveStartPage, type Place } from './start-page';

/**
 * Where its data is, and the ports that it takes if it can. With a folder of its own (LOCAL_FOLDER)
 * it stands beside others: any ports then.
 */
const OWN_FOLDER = processEnvironment().LOCAL_FOLDER;
const FOLDER = resolve(OWN_FOLDER || '.data');
const PORTS = OWN_FOLDER
  ? { service: 0, inbox: 0, identityProvider: 0, processor: 0 }
  : { service: 3000, inbox: 8025, identityProvider: 8026, processor: 4242 };

/** Ctrl-C before the service is there: what has been started ends with this process. */
const endEarly = () => process.exit(130);

/** Tells that a step runs, and how long it took. */
async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  process.stdout.write(`  ${what} …`);
  const start = performance.now();
  const outcome = await work();
  process.stdout.write(` done (${((performance.now() - start) / 1000).toFixed(1)} s)\n`);
  return outcome;
}

/**
 * Local mode (contract section 9): gives the service the settings that nobody has set, and the
 * parts behind them.
 */
async function main(): Promise<void> {
  const env = processEnvironment();
  if (env.NODE_ENV === 'production')
    throw new Error('Local mode has embedded parts and generated keys; production is `npm run start:prod`.');
  mkdirSync(FOLDER, { recursive: true });
  process.on('SIGINT', endEarly).on('SIGTERM', endEarly);
  const releaseLock = takeLock(join(FOLDER, 'local.pid'));
  const postgres = env.DATABASE_URL ? undefined : await step('Starting PostgreSQL', () => startPostgres(FOLDER));
  const database = postgres ? await serviceDatabase(postgres, 'tenantry') : readDatabaseUrls(env);
  writeFileSync(join(FOLDER, 'database-url'), database.service, { mode: 0o600 }); // for psql, and for `npm run admin`
  await step('Migrating the database', () => migrateOrExplain(database));

  const inbox = new MailInbox(join(FOLDER, 'mails.jsonl'));
  await inbox.start();
  const port = Number(env.PORT) || (await freePort(PORTS.service));
  const baseUrl = env.BASE_URL || `http://localhost:${port}`;
  const inboxPort = await freePort(PORTS.inbox);
  const inboxPage = await serveInbox(inbox, inboxPort);
  const identityProvider = new IdentityProvider();
  await identityProvider.start(await freePort(PORTS.identityProvider));
  const processor = env.PROCESSOR_SECRET_KEY ? undefined : new StripeStandIn({ file: join(FOLDER, 'processor.json') });
  await processor?.start(await freePort(PORTS.processor));

  const defaults = {
    HOST: '127.0.0.1',
    BASE_URL: baseUrl,
    FRONTEND_URL: `${baseUrl}/app`,
    DATABASE_URL: database.service,
    JWT_PRIVATE_KEY: signingKeyIn(join(FOLDER, 'jwt-private-key.pem')),
    SMTP_URL: inbox.smtpUrl,
    MAIL_FROM: 'Tenantry <hello@localhost.test>',
    ...unlessSetUp(identityProvider.settings, env),
    ...processor?.settings,
    ADMIN_EMAILS: DEMO_USERS[0].email,
    LOG_PRETTY: 'true',
  };
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const afterwards = async () => {
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
      about: 'Register, sign in, invite, pay: what your own web client would do',
    },
    {
      name: 'Operators’ panel',
      url: `${baseUrl}/admin`,
      about: 'People, tenants, jobs, webhook events and the audit log; sign in as the admin',
    },
    {
      name: 'Mail inbox',
      url: `http://localhost:${inboxPort}`,
      about: 'What the service mails lands here, and nowhere else',
    },
    ...(processor
      ? [
          {
            name: 'Payment processor',
            url: processor.url,
            about: 'A stand-in for Stripe: its cards, its clock, and deliveries that go wrong',
          },
        ]
      : []),
    {
      name: 'Google and GitHub',
      url: identityProvider.url,
      about: 'A stand-in for both: who there is, and what they answer',
    },
    {
      name: 'API documentation',
      url: `${baseUrl}/docs`,
      about: 'Every route with its bodies and error codes, to read and to try; /openapi.json for client generators',
    },
  ];
  const settings = readSettings({ ...defaults, ...given, PORT: String(port) });
  await serve(settings, {
    pages: (app) => {
      serveStartPage(app, places);
      serveStaticApp(app, '/app', join(STATIC_APPS, 'app'), settings);
    },
    seed: (app) => seed(app, processor),
    afterwards,
  });
  processor?.deliverTo(`http://127.0.0.1:${port}/api/v1/webhooks/stripe`);
  process.off('SIGINT', endEarly).off('SIGTERM', endEarly); // from here on the service stops gracefully
  writeFileSync(
    join(FOLDER, 'places.json'),
    JSON.stringify(Object.fromEntries(places.map(({ name, url }) => [name, url]))),
  );
  announce(baseUrl, places);
}

/**
 * The stand-in's settings of the providers that nobody has set up: parts of both would fit nobody.
 */
function unlessSetUp(standIn: Record<string, string>, env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(standIn).filter(([name]) => !env[`${name.split('_')[0]}_CLIENT_ID`]));
}

/** What went wrong with a server that is not ours, in terms of the setting that names it. */
async function migrateOrExplain(urls: DatabaseUrls): Promise<void> {
  try {
    await migrate(urls, ENTITY_CLASSES);
  } catch (error) {
    const { hostname, port, pathname } = new URL(urls.owner);
    throw new Error(
      `The database of DATABASE_URL (${hostname}:${port || 5432}${pathname}) cannot be migrated: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
}

/** Says where to click; the page at / says the same with words around it. */
function announce(baseUrl: string, places: readonly Place[]): void {
  const clicks = [{ name: 'Start here', url: baseUrl }, ...places]
    .map(({ name, url }) => `    ${name.padEnd(19)} ${url}`)
    .join('\n');
  const logins = DEMO_USERS.map(({ email, role }) => `    ${email.padEnd(22)} ${DEMO_PASSWORD}   (${role})`).join('\n');
  process.stdout.write(`
  Tenantry is running. Click:

${clicks}

  Demo logins:

${logins}

  Ctrl-C stops everything; \`npm run reset\` forgets all data.

`);
}

main().catch((error: Error) => {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
});

import '../src/config/thread-pool';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processEnvironment, readDatabaseUrl, readSettings } from '../src/config/settings';
import { ENTITY_CLASSES } from '../src/entities';
import { migrate } from '../src/platform/migrate';
import { serve } from '../src/serve';
import { startPostgres } from './embedded-postgres';
import { freePort } from './free-port';
import { IdentityProvider } from './identity-provider';
import { Processor } from './processor/processor';
import { signingKeyIn } from './local-keys';
import { takeLock } from './local-lock';
import { MailInbox } from './mail-inbox';
import { servePages } from './pages';
import { DEMO_PASSWORD, DEMO_USERS, seed } from './seed';
import { serviceDatabase } from './service-database';

const FOLDER = join(process.cwd(), '.data');
const PAGES_PORT = 8025;
const IDENTITY_PROVIDER_PORT = 8026;
const PROCESSOR_PORT = 4242;

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

/** Local mode (contract section 9): gives the service the settings that nobody has set, and the parts behind them. */
async function main(): Promise<void> {
  const env = processEnvironment();
  if (env.NODE_ENV === 'production') throw new Error('Local mode has embedded parts and generated keys; production is `npm run start:prod`.');
  mkdirSync(FOLDER, { recursive: true });
  process.on('SIGINT', endEarly).on('SIGTERM', endEarly);
  const releaseLock = takeLock(join(FOLDER, 'local.pid'));
  const postgres = env.DATABASE_URL ? undefined : await step('Starting PostgreSQL', () => startPostgres(FOLDER));
  const databaseUrl = postgres ? await serviceDatabase(postgres, 'tenantry') : readDatabaseUrl(env);
  writeFileSync(join(FOLDER, 'database-url'), databaseUrl, { mode: 0o600 }); // for psql, and for `npm run admin`
  await step('Migrating the database', () => migrateOrExplain(databaseUrl));

  const inbox = new MailInbox(join(FOLDER, 'mails.jsonl'));
  await inbox.start();
  const port = Number(env.PORT) || (await freePort(3000));
  const baseUrl = env.BASE_URL || `http://localhost:${port}`;
  const pagesPort = await freePort(PAGES_PORT);
  const pages = await servePages(inbox, pagesPort, () => baseUrl);
  const pagesUrl = `http://localhost:${pagesPort}`;
  const identityProvider = new IdentityProvider();
  await identityProvider.start(await freePort(IDENTITY_PROVIDER_PORT));
  const processor = env.PROCESSOR_SECRET_KEY ? undefined : new Processor({ file: join(FOLDER, 'processor.json') });
  await processor?.start(await freePort(PROCESSOR_PORT));

  const defaults = {
    HOST: '127.0.0.1',
    BASE_URL: baseUrl,
    FRONTEND_URL: `${pagesUrl}/app`,
    DATABASE_URL: databaseUrl,
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
    pages.closeAllConnections();
    pages.close();
    await identityProvider.stop();
    await processor?.stop();
    await inbox.stop();
    await postgres?.stop();
    releaseLock();
  };
  await serve(readSettings({ ...defaults, ...given, PORT: String(port) }), { seed: (app) => seed(app, processor), afterwards });
  processor?.deliverTo(`http://127.0.0.1:${port}/api/v1/webhooks/stripe`);
  process.off('SIGINT', endEarly).off('SIGTERM', endEarly); // from here on the service stops gracefully
  announce({
    'API documentation': `${baseUrl}/docs`,
    'API document': `${baseUrl}/openapi.json`,
    'Sign-in page': `${pagesUrl}/app`,
    'Mail inbox': pagesUrl,
    'Google and GitHub': `${identityProvider.url}   (a stand-in)`,
    ...(processor ? { 'Payment processor': `${processor.url}   (a stand-in)` } : {}),
  });
}

/** The stand-in's settings of the providers that nobody has set up: parts of both would fit nobody. */
function unlessSetUp(standIn: Record<string, string>, env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(standIn).filter(([name]) => !env[`${name.split('_')[0]}_CLIENT_ID`]));
}

/** What went wrong with a server that is not ours, in terms of the setting that names it. */
async function migrateOrExplain(url: string): Promise<void> {
  try {
    await migrate(url, ENTITY_CLASSES);
  } catch (error) {
    const { hostname, port, pathname } = new URL(url);
    throw new Error(`The database of DATABASE_URL (${hostname}:${port || 5432}${pathname}) cannot be migrated: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** @param places what there is to click, by its name */
function announce(places: Record<string, string>): void {
  const clicks = Object.entries(places)
    .map(([name, url]) => `    ${name.padEnd(19)} ${url}`)
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

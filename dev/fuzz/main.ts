import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../src/app';
import { readSettings } from '../../src/config/settings';
import { openApiDocument } from '../../src/http/openapi/openapi-document';
import { ENTITY_CLASSES } from '../../src/entities';
import { migrate } from '../../src/platform/database/migrate';
import { ServiceProcess } from '../chaos/service-process';
import { startPostgres, type EmbeddedPostgres } from '../embedded-postgres';
import { IdentityProvider } from '../identity-provider';
import { newSecretsKeys, newSigningKey } from '../local-keys';
import { MailInbox } from '../mail-inbox';
import { StripeStandIn } from '../stripe/stripe-stand-in';
import { serviceDatabase } from '../service-database';
import { MemoryProbe, describeMemory } from './memory-check';
import { leakReportSigner } from '../leak-report-signer';
import { operationsOf } from './operations';
import { chosen, optionsOf, WrongOption, type FuzzOptions } from './options';
import { runFuzz } from './run';
import { TestTenantsFactory } from './test-tenants';

/** The exit code for wrong command-line options. */
const WRONG_OPTION = 2;

/**
 * `npm run fuzz -- --seed 1 --requests 100 --operation logIn`: sends hostile requests to every
 * operation of the API document.
 */
async function main(): Promise<void> {
  const options = optionsOf(process.argv.slice(3), Math.floor(performance.timeOrigin) % 1_000_000);
  process.stdout.write(`  Seed ${options.seed}, ${options.requests} requests per operation and actor\n`);
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-fuzz-'));
  chmodSync(folder, 0o755);
  const postgres = await startPostgres(folder, { throwaway: true });
  try {
    await fuzz(postgres, options);
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fuzz(postgres: EmbeddedPostgres, { seed, requests, operation }: FuzzOptions): Promise<void> {
  const [inbox, processor, provider] = [new MailInbox(), new StripeStandIn({ seed }), new IdentityProvider()];
  await Promise.all([inbox.start(), processor.start(0), provider.start(0)]);
  const memory = await MemoryProbe.create();
  const urls = await serviceDatabase(postgres, 'fuzz');
  const env = {
    NODE_ENV: 'test',
    DATABASE_URL: urls.service,
    JWT_PRIVATE_KEY: newSigningKey(),
    SECRETS_KEYS: newSecretsKeys(),
    SMTP_URL: inbox.smtpUrl,
    MAIL_FROM: 'fuzz@fuzz.example',
    RATE_LIMIT_PER_MINUTE: '0',
    TRUST_PROXY: '1',
    LOGIN_MAX_FAILURES: '1000000',
    LOG_LEVEL: 'silent',
    ...processor.settings,
    ...provider.settings,
    ...(await leakReportSigner.start()),
  };
  await migrate(urls, ENTITY_CLASSES);
  const service = await ServiceProcess.start(join(__dirname, '../../src/main.js'), { ...env, ...memory.env });
  const settings = readSettings({ ...env, BASE_URL: service.address, WORKER: 'off' });
  const app = await createApp(settings);
  await app.init();
  try {
    const progress = (line: string) => process.stdout.write(process.stdout.isTTY ? `\r\x1b[K  ${line}` : `  ${line}\n`);
    const document = openApiDocument(app, settings);
    const operations = chosen(operationsOf(document), operation);
    const plan = {
      seed,
      requests,
      operations,
      address: service.address,
      document,
      factory: new TestTenantsFactory(app, processor.customerActions),
      memory,
      progress,
    };
    const { sent, statuses, excused, breaches } = await runFuzz(plan);
    process.stdout.write(
      `\n  ${sent} requests; responses by status ${JSON.stringify(statuses)}; ${describeMemory(memory.samples)}\n`,
    );
    for (const excuse of excused) process.stdout.write(`  ${excuse}\n`);
    process.stdout.write(
      breaches.length === 0 ? `  No violations (seed ${seed}).\n` : `  ${breaches.length} violations (seed ${seed}):\n`,
    );
    for (const breach of breaches) process.stdout.write(`  - ${breach}\n`);
    process.exitCode = breaches.length === 0 ? 0 : 1;
  } finally {
    await app.close();
    await service.stop();
    await Promise.all([inbox.stop(), processor.stop(), provider.stop(), leakReportSigner.stop()]);
  }
}

main().catch((error: Error) => {
  const isWrongOption = error instanceof WrongOption;
  process.stderr.write(isWrongOption ? `  ${error.message}\n` : `\n${error.stack}\n`);
  process.exit(isWrongOption ? WRONG_OPTION : 1);
});

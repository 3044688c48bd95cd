import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENTITY_CLASSES } from '../../src/entities';
import { migrate } from '../../src/platform/database/migrate';
import { ServiceProcess } from '../chaos/service-process';
import { newSecretsKeys, newSigningKey } from '../local-keys';
import { MailInbox } from '../mail-inbox';
import { StripeStandIn } from '../stripe/stripe-stand-in';
import { serviceDatabase } from '../service-database';
import { TcpProxy } from '../tcp-proxy';
import { PostgresServer } from './postgres-server';
import { JobQueue } from './job-queue';

const DATABASE = 'faults';
export const ISSUER = 'http://faults.example';

/** Two instances of the built service and everything they depend on, each behind a proxy. */
export class Environment {
  readonly queue: JobQueue;

  private constructor(
    private readonly folder: string,
    readonly signingKey: string,
    readonly postgres: PostgresServer,
    readonly inbox: MailInbox,
    readonly processor: StripeStandIn,
    readonly database: TcpProxy,
    readonly mail: TcpProxy,
    readonly payments: TcpProxy,
    readonly services: readonly [ServiceProcess, ServiceProcess],
  ) {
    this.queue = new JobQueue(postgres);
  }

  static async start(): Promise<Environment> {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-faults-'));
    chmodSync(folder, 0o755);
    const postgres = await PostgresServer.start(folder, DATABASE);
    const urls = await serviceDatabase(postgres.embedded, DATABASE);
    await postgres.sql(`ALTER DATABASE ${DATABASE}
      SET synchronous_commit = on`); // acknowledged commits survive a crash
    await migrate(urls, ENTITY_CLASSES);
    const [inbox, processor] = [new MailInbox(), new StripeStandIn({ seed: 1 })];
    await Promise.all([inbox.start(), processor.start(0)]);
    const [database, mail] = await Promise.all([TcpProxy.start(urls.service), TcpProxy.start(inbox.smtpUrl)]);
    const payments = await TcpProxy.start(processor.settings.PROCESSOR_API_URL);
    const signingKey = newSigningKey();
    const env = {
      NODE_ENV: 'test',
      BASE_URL: ISSUER,
      DATABASE_URL: database.url,
      JWT_PRIVATE_KEY: signingKey,
      SECRETS_KEYS: newSecretsKeys(),
      SMTP_URL: mail.url,
      MAIL_FROM: 'faults@faults.example',
      MAIL_NEW_RECIPIENTS_PER_HOUR: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'silent',
      ...processor.settings,
      PROCESSOR_API_URL: payments.url,
    };
    const main = join(__dirname, '../../src/main.js');
    const services = await Promise.all([
      ServiceProcess.start(main, env, 'ignore'),
      ServiceProcess.start(main, env, 'ignore'),
    ]);
    return new Environment(folder, signingKey, postgres, inbox, processor, database, mail, payments, services);
  }

  async stop(): Promise<void> {
    await Promise.all(this.services.map((service) => service.stop()));
    await Promise.all([
      this.database.close(),
      this.mail.close(),
      this.payments.close(),
      this.inbox.stop(),
      this.processor.stop(),
    ]);
    await this.postgres.stop('fast');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { ENTITY_CLASSES } from '../../src/entities';
import { migrate } from '../../src/platform/migrate';
import { ServiceProcess } from '../chaos/service-process';
import { startPostgres, type EmbeddedPostgres } from '../embedded-postgres';
import { newSigningKey } from '../local-keys';
import { MailInbox } from '../mail-inbox';
import { Processor } from '../processor/processor';
import { serviceDatabase } from '../service-database';
import { TcpProxy } from '../tcp-proxy';

const DATABASE = 'faults';
const LOOK_AGAIN_MS = 100;

/** Two instances of the built service, and what they depend on, behind lines that are ours. */
export class Stage {
  private constructor(
    private readonly folder: string,
    private readonly postgres: EmbeddedPostgres,
    readonly inbox: MailInbox,
    private readonly processor: Processor,
    readonly database: TcpProxy,
    readonly mail: TcpProxy,
    readonly payments: TcpProxy,
    readonly services: readonly ServiceProcess[],
  ) {}

  static async set(): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-faults-'));
    chmodSync(folder, 0o755);
    const postgres = await startPostgres(folder, { throwaway: true });
    const urls = await serviceDatabase(postgres, DATABASE);
    await migrate(urls, ENTITY_CLASSES);
    const [inbox, processor] = [new MailInbox(), new Processor({})];
    await Promise.all([inbox.start(), processor.start(0)]);
    const [database, mail] = await Promise.all([TcpProxy.before(urls.service), TcpProxy.before(inbox.smtpUrl)]);
    const payments = await TcpProxy.before(processor.settings.PROCESSOR_API_URL);
    const env = {
      NODE_ENV: 'test',
      BASE_URL: 'http://faults.example',
      DATABASE_URL: database.url,
      JWT_PRIVATE_KEY: newSigningKey(),
      SMTP_URL: mail.url,
      MAIL_FROM: 'faults@faults.example',
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'silent',
      ...processor.settings,
      PROCESSOR_API_URL: payments.url,
    };
    const main = join(__dirname, '../../src/main.js');
    const services = await Promise.all([ServiceProcess.start(main, env, 'ignore'), ServiceProcess.start(main, env, 'ignore')]);
    return new Stage(folder, postgres, inbox, processor, database.proxy, mail.proxy, payments.proxy, services);
  }

  /** Asks PostgreSQL itself, as its superuser, past the line. */
  async sql(statement: string): Promise<void> {
    const client = new Client({ connectionString: this.postgres.url(DATABASE) });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }

  /** Ends every connection that the service has. */
  endBackends(): Promise<void> {
    return this.sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()');
  }

  /** Whether every instance says so within some milliseconds. */
  async areAll(ready: boolean, withinMs: number): Promise<boolean> {
    const deadline = performance.now() + withinMs;
    for (const { address } of this.services) {
      for (;;) {
        const answer = await fetch(`${address}/api/v1/health/ready`, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
        if ((answer?.status === 200) === ready) break;
        if (performance.now() > deadline) return false;
        await pause(LOOK_AGAIN_MS);
      }
    }
    return true;
  }

  async strike(): Promise<void> {
    await Promise.all(this.services.map((service) => service.stop()));
    await Promise.all([this.database.cut(), this.mail.cut(), this.payments.cut(), this.inbox.stop(), this.processor.stop()]);
    await this.postgres.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

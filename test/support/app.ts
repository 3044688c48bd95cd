import type { ModuleMetadata } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import supertest from 'supertest';
import { furnish } from '../../src/app';
import { AppModule } from '../../src/app.module';
import { SETTINGS, type Settings } from '../../src/config/settings';
import { openApiDocument } from '../../src/edge/openapi';
import { Clock } from '../../src/platform/clock';
import { createLog, nestLogger } from '../../src/platform/log';
import { Actors } from './actors';
import { AnswerCheck } from './answer-check';
import { TestDatabase } from './database';
import { Mailbox } from './mailbox';
import { testSettings } from './settings';
import { TestClock } from './test-clock';

/** What a test may say about the service it wants. */
interface Options extends Pick<ModuleMetadata, 'controllers' | 'providers'> {
  readonly env?: NodeJS.ProcessEnv;
  /** A second instance shares the first one's database, mailbox and clock. */
  readonly beside?: TestApp;
}

/** The whole service on a real port and a real PostgreSQL; only the time and the mailbox are the test's. */
export class TestApp {
  readonly logLines: string[] = [];
  readonly actors = new Actors(this);
  nest!: NestExpressApplication;
  private check!: AnswerCheck;

  private constructor(
    readonly database: TestDatabase,
    readonly mailbox: Mailbox,
    readonly clock: TestClock,
    private readonly isFirst: boolean,
  ) {}

  static async start({ env, beside, ...extra }: Options = {}): Promise<TestApp> {
    const mailbox = beside?.mailbox ?? new Mailbox();
    if (!beside) await mailbox.start();
    const t = new TestApp(beside?.database ?? (await TestDatabase.create()), mailbox, beside?.clock ?? new TestClock(), !beside);
    const settings = testSettings({ DATABASE_URL: t.database.url, SMTP_URL: mailbox.smtpUrl, RATE_LIMIT_PER_MINUTE: '0', ...env });
    const log = createLog(settings.log, { write: (line) => void t.logLines.push(line) });
    const module = await Test.createTestingModule({ imports: [AppModule.for(settings, log)], ...extra })
      .overrideProvider(Clock)
      .useValue(t.clock)
      .compile();
    t.nest = module.createNestApplication<NestExpressApplication>({ logger: nestLogger(log), bodyParser: false, abortOnError: false });
    t.nest.use((...room: Parameters<AnswerCheck['watch']>) => t.check.watch(...room));
    furnish(t.nest, settings);
    t.check = new AnswerCheck(openApiDocument(t.nest, settings));
    await t.nest.listen(0, '127.0.0.1');
    return t;
  }

  /** Requests to the API, below /api/v1. */
  get api() {
    const at = supertest(`${this.address}/api/v1`);
    return at;
  }

  /** Requests to anywhere. */
  get http() {
    return supertest(this.address);
  }

  get address(): string {
    return `http://127.0.0.1:${(this.nest.getHttpServer().address() as { port: number }).port}`;
  }

  get settings(): Settings {
    return this.nest.get<Settings>(SETTINGS);
  }

  /** Stops everything; fails when an answer was not as the API document has it. */
  async close(): Promise<void> {
    await this.nest.close();
    if (this.isFirst) {
      await this.mailbox.stop();
      await this.database.drop();
    }
    expect([...new Set(this.check.violations)]).toEqual([]);
  }
}

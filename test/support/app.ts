import { randomUUID } from 'node:crypto';
import type { ModuleMetadata } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Test } from '@nestjs/testing';
import type { IdentityProvider } from '../../dev/identity-provider';
import { StripeStandIn } from '../../dev/stripe/stripe-stand-in';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import supertest from 'supertest';
import { configureApp, httpAdapter } from '../../src/app';
import { AppModule } from '../../src/app.module';
import { SETTINGS, type Settings } from '../../src/config/settings';
import { Clock } from '../../src/platform/clock';
import { DatabaseNotConnected } from '../../src/platform/database/database-errors';
import { Database } from '../../src/platform/database/database';
import { createLog, nestLogger } from '../../src/platform/observability/log';
import { Actors } from './actors';
import { AnswerCheck, promisesOf } from './response-check';
import { TestDatabase } from './database';
import { eventually } from './eventually';
import { Mailbox } from './mailbox';
import { testSettings } from './settings';
import { TestClock } from './test-clock';

/** Options of a TestApp. */
interface Options extends Pick<ModuleMetadata, 'controllers' | 'providers'> {
  readonly env?: NodeJS.ProcessEnv;
  /** Starts a second instance, which shares the database, mailbox and clock of this one. */
  readonly beside?: TestApp;
  /**
   * The stand-in for Google and GitHub, which runs as long as this instance. Without it no provider
   * is configured.
   */
  readonly identityProvider?: IdentityProvider;
  /**
   * Whether to start the stand-in for Stripe, which delivers its events here. A second instance
   * uses that of the first.
   */
  readonly processor?: boolean;
  /**
   * Whether the clock starts scheduled work. Otherwise the test does, so that it does not depend on
   * the time of day.
   */
  readonly schedules?: boolean;
}

const running = new Set<TestApp>();

// A wrong response fails the test that asked. Every suite that imports TestApp has this check.
afterEach(() => expectRightAnswers());

/** Fails if a response was not as the API document says, or the stand-in for Stripe complains. */
function expectRightAnswers(): void {
  const wrong = new Set([...running].flatMap((t) => t.takeViolations()));
  if (wrong.size > 0) throw new Error(`Not as documented:\n${[...wrong].join('\n')}`);
}

/** With KEYED_WRITES every write has an Idempotency-Key, and nothing else may change. */
function giveKey({ headers }: Request, _response: Response, next: NextFunction): void {
  headers['idempotency-key'] ??= randomUUID();
  next();
}

/**
 * The whole service on a real port with a real PostgreSQL. Only the clock and the mailbox belong to
 * the test.
 */
export class TestApp {
  readonly logLines: string[] = [];
  readonly actors = new Actors(this);
  nest!: NestExpressApplication;
  identityProvider!: IdentityProvider;
  /** The stack of the call that started it. */
  processor!: StripeStandIn;
  private check!: AnswerCheck;
  /** Log lines of writes whose transaction has stored another answer than the sent one. */
  private readonly differing: string[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly mailbox: Mailbox,
    readonly clock: TestClock,
    private readonly isFirst: boolean,
  ) {}

  static async start({ beside, identityProvider, processor, ...options }: Options = {}): Promise<TestApp> {
    const mailbox = beside?.mailbox ?? new Mailbox();
    if (!beside) await mailbox.start();
    const t = new TestApp(
      beside?.database ?? (await TestDatabase.create()),
      mailbox,
      beside?.clock ?? new TestClock(),
      !beside,
    );
    if (identityProvider) await (t.identityProvider = identityProvider).start();
    if (processor) await t.useProcessor(beside?.processor);
    try {
      const env = { ...identityProvider?.settings, ...(processor ? t.processor.settings : {}), ...options.env };
      await t.open({ ...options, env });
      if (processor && !beside) t.processor.deliverTo(`${t.address}/api/v1/webhooks/stripe`);
    } catch (error) {
      await (t.nest as NestExpressApplication | undefined)?.close();
      await t.discard();
      throw error;
    }
    return t;
  }

  /** Sends requests below /api/v1. */
  get api() {
    return supertest(`${this.address}/api/v1`);
  }

  /** Sends requests to any path. */
  get http() {
    return supertest(this.address);
  }

  get address(): string {
    return `http://127.0.0.1:${(this.nest.getHttpServer().address() as { port: number }).port}`;
  }

  get settings(): Settings {
    return this.nest.get<Settings>(SETTINGS);
  }

  private async open({ env, schedules = false, ...extra }: Options): Promise<void> {
    const settings = testSettings({
      DATABASE_URL: this.database.url,
      ...this.database.poolerSettings,
      SMTP_URL: this.mailbox.smtpUrl,
      RATE_LIMIT_PER_MINUTE: '0',
      ...env,
    });
    const log = createLog(settings.log, {
      write: (line) => {
        this.logLines.push(line);
        if (line.includes('idempotency.answer_differs')) this.differing.push(line);
      },
    });
    const module = await Test.createTestingModule({ imports: [AppModule.for(settings, log)], ...extra })
      .overrideProvider(Clock)
      .useValue(this.clock)
      .compile();
    this.nest = module.createNestApplication<NestExpressApplication>(httpAdapter(settings), {
      logger: nestLogger(log),
      bodyParser: false,
      abortOnError: false,
    });
    const watch: RequestHandler = (...exchange) => this.check.watch(...exchange);
    configureApp(this.nest, settings, [watch, ...(process.env.KEYED_WRITES ? [giveKey] : [])]);
    this.check = new AnswerCheck(promisesOf(this.nest, settings, extra.controllers !== undefined));
    await this.nest.listen(0, '127.0.0.1');
    // The service starts without its database, too, for example if a busy machine connects late.
    if (!env?.DATABASE_URL) await eventually(() => this.hasDatabase(), 'the database');
    if (!schedules) for (const job of this.nest.get(SchedulerRegistry).getCronJobs().values()) await job.stop();
    running.add(this);
  }

  private hasDatabase(): boolean {
    try {
      return Boolean(this.nest.get(Database).manager);
    } catch (error) {
      if (error instanceof DatabaseNotConnected) return false;
      throw error;
    }
  }

  private async useProcessor(shared?: StripeStandIn): Promise<void> {
    this.processor = shared ?? new StripeStandIn({ wallClock: () => this.clock.now(), validateResponses: true });
    if (!shared) await this.processor.start(0);
  }

  /** Stops everything. Fails like a test if a wrong response was sent after the last one. */
  async close(): Promise<void> {
    await this.nest.close();
    await this.discard();
    expectRightAnswers();
    running.delete(this);
  }

  /** What was wrong since the last call: responses of the service, exchanges with Stripe. */
  takeViolations(): string[] {
    const ofProcessor = (this.processor as StripeStandIn | undefined)?.violations ?? [];
    return [...this.check.violations.splice(0), ...this.differing.splice(0), ...ofProcessor.splice(0)];
  }

  private async discard(): Promise<void> {
    await (this.identityProvider as IdentityProvider | undefined)?.stop();
    if (!this.isFirst) return;
    await (this.processor as StripeStandIn | undefined)?.stop();
    await this.mailbox.stop();
    await this.database.drop();
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import { TcpProxy } from '../../../dev/tcp-proxy';
import { TestApp } from '../../support/app';
import { TestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import { Mailbox } from '../../support/mailbox';

const USERS = 12;
/**
 * Time limits after the end of a fault, in milliseconds: for everything acknowledged to be done,
 * and for jobs to run again.
 */
const ALL_DONE_MS = 60_000;
const REPLACED_MS = 15_000;
const STOP_MS = 10_000;

const until = (look: () => Promise<boolean>, what: string, patience?: number) =>
  eventually(async () => (await look()) || undefined, what, patience);

/**
 * A service with proxies to the database and the mail server. Sending a mail takes a while, so that
 * some are always in progress.
 */
class ProxiedService {
  private constructor(
    readonly t: TestApp,
    readonly mailbox: Mailbox,
    readonly database: TestDatabase,
    readonly line: TcpProxy,
    readonly mail: TcpProxy,
  ) {}

  static async start(env: NodeJS.ProcessEnv = {}): Promise<ProxiedService> {
    const database = await TestDatabase.create();
    const mailbox = new Mailbox();
    await mailbox.start();
    const [line, mail] = await Promise.all([TcpProxy.start(database.url), TcpProxy.start(mailbox.smtpUrl)]);
    const t = await TestApp.start({ env: { DATABASE_URL: line.url, SMTP_URL: mail.url, LOG_LEVEL: 'fatal', ...env } });
    const scene = new ProxiedService(t, mailbox, database, line, mail);
    mail.delayMs = 20;
    await scene.untilReady();
    return scene;
  }

  async untilReady(): Promise<void> {
    await until(async () => (await this.t.api.get('/health/ready')).status === 200, 'readiness', REPLACED_MS);
  }

  /** @returns the emails of acknowledged registrations */
  async register(prefix: string): Promise<string[]> {
    const emails = Array.from({ length: USERS }, (_, i) => `${prefix}${i}@example.com`);
    const registering = (email: string) =>
      this.t.api.post('/auth/register').send({ email, password: 'correct horse battery', name: 'A' });
    await Promise.all(emails.map((email) => registering(email).expect(201)));
    return emails;
  }

  async jobs(where: string): Promise<number> {
    return (await this.database.query(`SELECT FROM graphile_worker._private_jobs WHERE ${where}`)).length;
  }

  async close(): Promise<void> {
    await this.t.close();
    await Promise.all([this.line.close(), this.mail.close(), this.mailbox.stop()]);
    await this.database.drop();
  }
}

describe('A job worker that loses the database', () => {
  let traces: jest.SpyInstance;
  // the library of the job queue prints there
  beforeEach(() => {
    traces = jest.spyOn(console, 'error').mockImplementation();
  });
  afterEach(() => traces.mockRestore());

  const faults: readonly [string, (scene: ProxiedService) => Promise<void>][] = [
    [
      'that restarts while mails are being sent',
      async ({ line }) => {
        await line.close();
        await pause(3000);
        await line.listen();
      },
    ],
    [
      'that accepts connections and does not respond for 8 seconds',
      async ({ line }) => {
        line.freeze();
        await pause(8000);
        line.thaw();
      },
    ],
    [
      'that disconnects in the middle of every response',
      async ({ line }) => {
        line.breaksResponses = true;
        await pause(6000);
        line.breaksResponses = false;
      },
    ],
    [
      'whose backends are terminated five times per second',
      async ({ database }) => {
        for (let time = 0; time < 25; time++) {
          await database.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid()`,
          );
          await pause(200);
        }
      },
    ],
  ];

  it.each(faults)(
    '%s recovers: every mail arrives, no job is left, and it stops in time',
    async (_how, injectFault) => {
      const scene = await ProxiedService.start();
      const emails = await scene.register('before');
      await until(() => scene.jobs('locked_at IS NOT NULL').then((n) => n > 0), 'mails on their way');
      await injectFault(scene);
      const end = performance.now();
      await scene.untilReady();
      emails.push(...(await scene.register('after')));
      for (const email of emails) await eventually(() => scene.mailbox.to(email)[0], `mail to ${email}`, ALL_DONE_MS);
      await until(async () => (await scene.jobs('true')) === 0, 'an empty queue', ALL_DONE_MS);
      expect(performance.now() - end).toBeLessThan(ALL_DONE_MS);
      const stop = performance.now();
      await scene.close();
      expect(performance.now() - stop).toBeLessThan(STOP_MS);
    },
    120_000,
  );
});

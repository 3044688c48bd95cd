import { createServer, type AddressInfo, type Socket } from 'node:net';
import { PurgeExpired } from '../../../src/auth/commands/purge-expired';
import { CloseCustomer } from '../../../src/billing/checkout/commands/close-customer';
import { newId } from '../../../src/platform/ids';
import { JOBS_AT_A_TIME } from '../../../src/platform/jobs/job-kinds';
import { Jobs } from '../../../src/platform/jobs/jobs';
import { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';

const SECONDS = 5000;
/** The greeting timeout of a mail server is 10 seconds. */
const GREETING_MS = 15_000;

/** A server that accepts connections and never responds. */
class SilentServer {
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((socket) => this.sockets.add(socket.on('error', () => undefined)));

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  hangUp(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}

describe('Jobs of other kinds', () => {
  let silent: SilentServer;
  beforeEach(async () => {
    silent = new SilentServer();
    await silent.start();
  });
  afterEach(() => silent.hangUp());

  const running = (t: TestApp) =>
    t.database
      .query<{
        task: string;
      }>(
        `SELECT t.identifier AS task
           FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
           WHERE j.locked_at IS NOT NULL`,
      )
      .then((rows) => rows.map(({ task }) => task));
  const done = (t: TestApp, task: string) =>
    eventually(
      async () => (await t.http.get('/metrics')).text.includes(`jobs_finished_total{task="${task}",outcome="done"}`),
      task,
      SECONDS,
    );
  const register = (t: TestApp, email: string) =>
    t.api.post('/auth/register').send({ email, password: 'correct horse battery', name: 'A' }).expect(201);
  const tooMany = (atATime: number) => Array.from({ length: atATime + 2 }, (_, i) => i);

  it('run while a mail server accepts connections and never responds', async () => {
    const t = await TestApp.start({ env: { SMTP_URL: `smtp://127.0.0.1:${silent.port}`, LOG_LEVEL: 'fatal' } });
    await Promise.all(tooMany(JOBS_AT_A_TIME.mail).map((i) => register(t, `m${i}@example.com`)));
    await eventually(async () => (await running(t)).length === JOBS_AT_A_TIME.mail || undefined, 'mails that hang');
    await t.nest.get(Jobs).enqueue(new PurgeExpired());
    await done(t, 'purge-expired');
    expect((await running(t)).filter((task) => task !== 'send-link-mail')).toEqual([]);
    expect((await t.api.get('/health/ready')).status).toBe(200);
    const failed = `SELECT FROM graphile_worker._private_jobs WHERE last_error LIKE 'Greeting never received%'`;
    await eventually(
      async () => (await t.database.query(failed)).length >= JOBS_AT_A_TIME.mail || undefined,
      'mails that are given up',
      GREETING_MS,
    );
    silent.hangUp();
    await t.close();
  }, 60_000);

  it('run while Stripe accepts calls and never responds, and mails arrive within seconds', async () => {
    const env = {
      PROCESSOR_API_URL: `http://127.0.0.1:${silent.port}`,
      PROCESSOR_SECRET_KEY: 'sk_test_silent',
      LOG_LEVEL: 'fatal',
    };
    const t = await TestApp.start({ env });
    await t.nest
      .get(Jobs)
      .enqueueAll(tooMany(JOBS_AT_A_TIME.processor).map((i) => ({ command: new CloseCustomer(newId(), `cus_${i}`) })));
    await eventually(
      async () => (await running(t)).length === JOBS_AT_A_TIME.processor || undefined,
      'calls that hang',
    );
    await register(t, 'p@example.com');
    await t.mailbox.last('p@example.com');
    await t.nest.get(Jobs).enqueue(new PurgeExpired());
    await done(t, 'purge-expired');
    silent.hangUp();
    await t.close();
  }, 60_000);
});

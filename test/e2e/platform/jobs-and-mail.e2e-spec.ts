import { Controller, Injectable, Post } from '@nestjs/common';
import { Command, CommandBus, CommandHandler } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import { Pool } from 'pg';
import { SendLinkMail } from '../../../src/auth/commands/send-link-mail';
import { Public } from '../../../src/http/access/access.decorators';
import { JobWorker } from '../../../src/platform/jobs/job-worker';
import { Job, Jobs } from '../../../src/platform/jobs/jobs';
import { PlatformFailures } from '../../../src/platform/platform.failures';
import { requestContext } from '../../../src/platform/observability/request-context';
import { err, ok, type Result } from '../../../src/platform/result';
import { UnitOfWork } from '../../../src/platform/database/unit-of-work';
import { claimWorkerName } from '../../../src/platform/jobs/worker-name-lock';
import { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';

const jobsOf = (t: TestApp) =>
  t.database.query<{ task: string; attempts: number; payload: object; last_error: string | null }>(
    `SELECT t.identifier AS task, j.attempts, j.payload, j.last_error FROM graphile_worker._private_jobs j
      JOIN graphile_worker._private_tasks t ON t.id = j.task_id`,
  );
/** Retry delays are in real time, so tests run the jobs at once. */
const retryNow = (t: TestApp) =>
  t.database.query(`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL`);

/** The outcome of each attempt of the sample job: a Result or an exception. */
const outcomes: (() => Result<void, string>)[] = [];
const seen: { n: number; requestId?: string }[] = [];

@Job('sample')
class Sample extends Command<Result<void, string>> {
  constructor(readonly n: number) {
    super();
  }
}

@CommandHandler(Sample)
class SampleHandler {
  execute({ n }: Sample) {
    seen.push({ n, requestId: requestContext()?.requestId });
    return Promise.resolve((outcomes.shift() ?? ok)());
  }
}

class NotDeferrable extends Command<Result> {}

@Injectable()
@ApiExcludeController()
@Public()
@Controller('sample')
class SampleController {
  constructor(
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
  ) {}
  @Post('kept') async kept() {
    await this.jobs.enqueue(new Sample(1));
  }
  @Post('rolled-back') rolledBack() {
    return this.unitOfWork.transaction(async () => {
      await this.jobs.enqueue(new Sample(2));
      return err(PlatformFailures.forbidden);
    });
  }
}

describe('Jobs', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({
      controllers: [SampleController],
      providers: [SampleHandler],
      env: { LOG_LEVEL: 'fatal' },
    });
  });
  afterAll(() => t.close());
  beforeEach(() => seen.splice(0));

  it('run after the transaction that enqueued them has committed, with the request id of that request', async () => {
    const { headers } = await t.api.post('/sample/kept').expect(200);
    await eventually(() => seen[0], 'the job');
    expect(seen).toEqual([{ n: 1, requestId: headers['x-request-id'] }]);
    await eventually(async () => (await jobsOf(t)).length === 0 || undefined, 'an empty queue');
  });

  it('are not enqueued if the transaction is rolled back', async () => {
    await t.api.post('/sample/rolled-back').expect(403);
    expect(await jobsOf(t)).toEqual([]);
    expect(seen).toEqual([]);
  });

  it('run again if their completion cannot be stored, and the service keeps running', async () => {
    await t.database.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not now'; END $$;
      CREATE TRIGGER refuse BEFORE DELETE ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION refuse()`);
    await t.api.post('/sample/kept').expect(200);
    await eventually(() => seen[0], 'the job');
    await eventually(() => t.nest.get(JobWorker).state === 'starting' || undefined, 'the worker to start over');
    await t.database.query('DROP TRIGGER refuse ON graphile_worker._private_jobs; DROP FUNCTION refuse');
    await eventually(async () => (await jobsOf(t)).length === 0 || undefined, 'an empty queue');
    expect(seen.length).toBeGreaterThan(1);
  });

  it('are retried after an Err and after an exception', async () => {
    outcomes.push(
      () => err(PlatformFailures.unavailable),
      () => {
        throw new Error('boom');
      },
    );
    await t.api.post('/sample/kept').expect(200);
    const failedWith = (message: string) =>
      eventually(async () => (await jobsOf(t)).find(({ last_error }) => last_error?.includes(message)), message);
    await failedWith('UNAVAILABLE');
    await retryNow(t);
    await failedWith('boom');
    await retryNow(t);
    await eventually(() => seen[2], 'the third attempt');
  });

  it.each([
    [1, 3],
    [3, 20],
    [24, 22_026],
  ])('are retried after %d failed attempts with a pause of %d seconds', async (attempts, seconds) => {
    let failedAt = NaN;
    outcomes.push(() => {
      failedAt = Date.now() / 1000;
      return err(PlatformFailures.unavailable);
    });
    await t.nest.get(Jobs).enqueue(new Sample(3), 'backoff', 3600);
    await t.database.query('UPDATE graphile_worker._private_jobs SET attempts = $1, run_at = now()', [attempts - 1]);
    const failed = `
      SELECT extract(epoch FROM run_at)::float AS due, attempts, max_attempts AS "maxAttempts"
        FROM graphile_worker._private_jobs WHERE last_error IS NOT NULL AND locked_at IS NULL`;
    const { due, ...job } = await eventually(
      async () => (await t.database.query<{ due: number; attempts: number; maxAttempts: number }>(failed))[0],
      'the failure',
    );
    expect(job).toEqual({ attempts, maxAttempts: 25 });
    expect(Math.abs(due - failedAt - seconds)).toBeLessThan(2);
    await t.database.query('DELETE FROM graphile_worker._private_jobs');
  });

  it('with the same key are enqueued once', async () => {
    const off = await TestApp.start({ env: { WORKER: 'off' } });
    await off.nest.get(Jobs).enqueue(new SendLinkMail('a@example.com', 'verification'), 'same');
    await off.nest.get(Jobs).enqueue(new SendLinkMail('b@example.com', 'verification'), 'same');
    expect((await jobsOf(off)).map(({ task, payload }) => [task, (payload as { command: object }).command])).toEqual([
      ['send-link-mail', { email: 'b@example.com', purpose: 'verification' }],
    ]);
    await off.close();
  });

  it('must be commands that are declared as jobs', async () => {
    await expect(t.nest.get(Jobs).enqueue(new NotDeferrable())).rejects.toThrow('NotDeferrable is not @Job');
  });
});

describe('Mails', () => {
  const body = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada <b>&</b>' };

  it('wait for a mail server that is down: requests do not wait, and each mail arrives once', async () => {
    const t = await TestApp.start({ env: { LOG_LEVEL: 'fatal' } });
    await t.mailbox.stop();
    const start = performance.now();
    await t.api.post('/auth/register').send(body).expect(201);
    expect(performance.now() - start).toBeLessThan(2000);
    await eventually(
      async () => (await jobsOf(t)).find(({ attempts, last_error }) => attempts === 1 && last_error),
      'a failed attempt',
    );
    await t.mailbox.start();
    await retryNow(t);
    const token = await t.mailbox.token(body.email);
    await t.api.get('/auth/verify-email').query({ token }).expect(200);
    await eventually(async () => (await jobsOf(t)).length === 0 || undefined, 'an empty queue');
    expect(t.mailbox.to(body.email)).toHaveLength(1);
    await t.close();
  });

  it('are sent by the next process if one ends between commit and sending', async () => {
    const first = await TestApp.start({ env: { WORKER: 'off' } });
    await first.api.post('/auth/register').send(body).expect(201);
    expect(first.mailbox.mails).toEqual([]);
    const second = await TestApp.start({ beside: first });
    await first.mailbox.last(body.email);
    await eventually(async () => (await jobsOf(first)).length === 0 || undefined, 'an empty queue');
    expect(first.mailbox.mails).toHaveLength(1);
    await second.close();
    await first.close();
  });

  it('are sent again after the process that was sending them was killed, but not while it is alive', async () => {
    const first = await TestApp.start({ env: { WORKER: 'off' } });
    await first.api.post('/auth/register').send(body).expect(201);
    await first.api
      .post('/auth/register')
      .send({ ...body, email: 'bob@example.com' })
      .expect(201);
    const lockedBy = (worker: string, email: string) =>
      first.database.query(
        `UPDATE graphile_worker._private_jobs SET locked_by = $1, locked_at = now() - interval '1 minute',
          attempts = 1 WHERE key LIKE 'verification:' || $2 || ':%'`,
        [worker, email],
      );
    await lockedBy('pool-killed', body.email);
    await lockedBy('pool-alive', 'bob@example.com');
    const pool = new Pool({ connectionString: first.database.urls.service });
    const alive = await pool.connect();
    await claimWorkerName(alive, 'pool-alive');
    const second = await TestApp.start({ beside: first });
    await first.mailbox.last(body.email);
    expect(first.mailbox.to('bob@example.com')).toEqual([]);
    alive.release(true);
    await first.mailbox.last('bob@example.com');
    await pool.end();
    await second.close();
    await first.close();
  }, 40_000);

  it('escape user input as text, never as HTML', async () => {
    const t = await TestApp.start();
    const { email } = await t.actors.user({ name: body.name });
    await t.api.post('/auth/password/forgot').send({ email }).expect(200);
    const mail = await t.mailbox.last(email);
    expect(mail.html).toContain('Hi Ada &lt;b&gt;&amp;&lt;/b&gt;,');
    expect(mail.text).toContain('Hi Ada <b>&</b>,');
    await t.close();
  });

  it('are not sent again to an account that was verified meanwhile', async () => {
    const t = await TestApp.start();
    const user = await t.actors.user();
    expect(await t.nest.get(CommandBus).execute(new SendLinkMail(user.email, 'verification'))).toEqual(ok());
    expect(t.mailbox.mails).toEqual([]);
    await t.close();
  });
});

describe('WORKER=only', () => {
  it('runs jobs and serves the health routes only', async () => {
    const web = await TestApp.start({ env: { WORKER: 'off' } });
    const worker = await TestApp.start({ beside: web, env: { WORKER: 'only' } });
    await web.api
      .post('/auth/register')
      .send({ email: 'w@example.com', password: 'correct horse battery', name: 'W' })
      .expect(201);
    await web.mailbox.last('w@example.com');
    await worker.api.get('/health/live').expect(200);
    await worker.http.get('/metrics').expect(200);
    const { body } = await worker.api.post('/auth/login').send({ email: 'w@example.com', password: 'x' }).expect(404);
    expect(body.error.code).toBe('NOT_FOUND');
    expect((await web.api.get('/health/ready').expect(200)).body.data.worker).toBe('off');
    await worker.close();
    await web.close();
  });
});

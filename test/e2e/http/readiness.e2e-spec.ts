import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { TcpProxy } from '../../../dev/tcp-proxy';
import { JobWorker } from '../../../src/platform/jobs/job-worker';
import { TestApp } from '../../support/app';
import { TestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';

/** Milliseconds within which it must be honest. */
const HONEST_MS = 15_000;

const ready = (t: TestApp) => t.api.get('/health/ready');
const untilReady = (t: TestApp) => eventually(async () => (await ready(t)).status === 200, 'readiness', HONEST_MS);

describe('readiness', () => {
  it('asks the database once a second at most when 150 ask', async () => {
    const sent = jest.spyOn(Client.prototype, 'query');
    const t = await TestApp.start({ env: { WORKER: 'off' } });
    await untilReady(t);
    await pause(1000);
    // The connection that listens checks itself with the same statement.
    const listens = (call: number) => String(sent.mock.calls[call][0]).startsWith('LISTEN');
    const listening = new Set(sent.mock.contexts.filter((_, call) => listens(call)));
    expect(listening.size).toBe(1);
    sent.mockClear();
    const statuses: number[] = [];
    const start = performance.now();
    for (let tenth = 0; tenth < 10; tenth++) {
      statuses.push(...(await Promise.all(Array.from({ length: 15 }, () => ready(t)))).map(({ status }) => status));
      await pause(50);
    }
    const seconds = (performance.now() - start) / 1000; // more than one on a machine that is busy
    const questions = sent.mock.calls.filter(
      ([sql], call) => (sql as unknown) === 'SELECT 1' && !listening.has(sent.mock.contexts[call]),
    ).length;
    sent.mockRestore();
    expect(statuses).toEqual(Array(150).fill(200));
    expect(questions).toBeGreaterThan(0);
    expect(questions).toBeLessThanOrEqual(Math.floor(seconds) + 1);
    await t.close();
  });

  it('tells that jobs are due and none is worked, and the worker is replaced', async () => {
    const t = await TestApp.start({ env: { LOG_LEVEL: 'fatal' } });
    await untilReady(t);
    // Tasks get other numbers than those that the library remembers: it asks for jobs as ever, and
    // is never given one.
    await t.database.query('DELETE FROM graphile_worker._private_tasks');
    await t.api
      .post('/auth/register')
      .send({ email: 'late@example.com', password: 'correct horse battery', name: 'L' })
      .expect(201);
    const { body } = await eventually(
      async () => {
        const answer = await ready(t);
        return answer.status === 503 ? answer : undefined;
      },
      'a worker that is found out',
      HONEST_MS,
    );
    expect(body.error.code).toBe('UNAVAILABLE');
    expect(body.error.message).toMatch(/worker: (stalled|starting)/);
    expect(await t.mailbox.last('late@example.com')).toMatchObject({ to: 'late@example.com' });
    await untilReady(t);
    expect((await t.http.get('/metrics')).text).toMatch(/^job_worker_replacements_total [1-9]/m);
    await t.close();
  }, 60_000);

  it('tells within 15 seconds that the worker has no database, and that it has again', async () => {
    const database = await TestDatabase.create();
    const proxy = await TcpProxy.start(database.url);
    const traces = jest.spyOn(console, 'error').mockImplementation();
    const t = await TestApp.start({ env: { DATABASE_URL: proxy.url, LOG_LEVEL: 'fatal' } });
    await untilReady(t);
    proxy.freeze();
    await eventually(() => t.nest.get(JobWorker).state !== 'running', 'a worker that knows', HONEST_MS);
    expect((await ready(t)).status).toBe(503);
    proxy.thaw();
    await untilReady(t);
    await t.close();
    traces.mockRestore();
    await proxy.close();
    await database.drop();
  }, 60_000);
});

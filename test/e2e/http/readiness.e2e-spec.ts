import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { TcpProxy } from '../../../dev/tcp-proxy';
import { SERVICE_ROLE } from '../../../dev/service-database';
import { ENTITY_CLASSES } from '../../../src/entities';
import { migrate } from '../../../src/platform/database/migrate';
import { JobWorker } from '../../../src/platform/jobs/job-worker';
import { TestApp } from '../../support/app';
import { TestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';

/** Time limit for reporting a change, in milliseconds. */
const REPORT_MS = 15_000;

const ready = (t: TestApp) => t.api.get('/health/ready');
const untilReady = (t: TestApp) => eventually(async () => (await ready(t)).status === 200, 'readiness', REPORT_MS);

describe('readiness', () => {
  it('queries the database at most once a second for 150 checks', async () => {
    const sent = jest.spyOn(Client.prototype, 'query');
    const t = await TestApp.start({ env: { WORKER: 'off' } });
    await untilReady(t);
    await pause(1000);
    sent.mockClear();
    const statuses: number[] = [];
    const start = performance.now();
    for (let tenth = 0; tenth < 10; tenth++) {
      statuses.push(...(await Promise.all(Array.from({ length: 15 }, () => ready(t)))).map(({ status }) => status));
      await pause(50);
    }
    const seconds = (performance.now() - start) / 1000; // more than one on a busy machine
    const isCheck = (statement: unknown) => JSON.stringify(statement).includes('FROM migrations');
    const queries = sent.mock.calls.filter(([statement]) => isCheck(statement)).length;
    sent.mockRestore();
    expect(statuses).toEqual(Array(150).fill(200));
    expect(queries).toBeGreaterThan(0);
    expect(queries).toBeLessThanOrEqual(Math.floor(seconds) + 1);
    await t.close();
  });

  it('reports missing migrations to a role without grants, which migrating gives it', async () => {
    const t = await TestApp.start({ env: { WORKER: 'off', LOG_LEVEL: 'fatal' } });
    await untilReady(t);
    await t.database.query(`REVOKE ALL ON migrations FROM ${SERVICE_ROLE}`);
    const refused = await eventually(
      async () => {
        const response = await ready(t);
        return response.status === 503 ? response : undefined;
      },
      'a report of the missing grants',
      REPORT_MS,
    );
    expect(refused.body.error.message).toContain('database: up, migrations: missing');
    await migrate(t.database.urls, ENTITY_CLASSES);
    await untilReady(t);
    await t.close();
  });

  it('reports a stalled worker, which is replaced', async () => {
    const t = await TestApp.start({ env: { LOG_LEVEL: 'fatal' } });
    await untilReady(t);
    // Renumbers the tasks, so that the worker polls and never gets a job.
    await t.database.query('DELETE FROM graphile_worker._private_tasks');
    await t.api
      .post('/auth/register')
      .send({ email: 'late@example.com', password: 'correct horse battery', name: 'L' })
      .expect(201);
    const { body } = await eventually(
      async () => {
        const response = await ready(t);
        return response.status === 503 ? response : undefined;
      },
      'a report of the stalled worker',
      REPORT_MS,
    );
    expect(body.error.code).toBe('UNAVAILABLE');
    expect(body.error.message).toMatch(/worker: (stalled|starting)/);
    expect(await t.mailbox.last('late@example.com')).toMatchObject({ to: 'late@example.com' });
    await untilReady(t);
    expect((await t.http.get('/metrics')).text).toMatch(/^job_worker_replacements_total [1-9]/m);
    await t.close();
  }, 60_000);

  it('reports within 15 seconds that the worker lost the database, and that it recovered', async () => {
    const database = await TestDatabase.create();
    const proxy = await TcpProxy.start(database.url);
    const traces = jest.spyOn(console, 'error').mockImplementation();
    const t = await TestApp.start({ env: { DATABASE_URL: proxy.url, LOG_LEVEL: 'fatal' } });
    await untilReady(t);
    proxy.freeze();
    await eventually(() => t.nest.get(JobWorker).state !== 'running', 'a worker that noticed the outage', REPORT_MS);
    expect((await ready(t)).status).toBe(503);
    proxy.thaw();
    await untilReady(t);
    await t.close();
    traces.mockRestore();
    await proxy.close();
    await database.drop();
  }, 60_000);
});

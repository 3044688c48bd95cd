import { TestApp } from '../../support/app';
import { TestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import { PRODUCTION } from '../../support/settings';

describe('operational endpoints', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ env: { LOG_LEVEL: 'info' } });
  });
  afterAll(() => t.close());

  it('report liveness, and readiness once the worker runs', async () => {
    expect((await t.api.get('/health/live').expect(200)).body).toEqual({ success: true, data: { status: 'ok' } });
    const { body } = await eventually(async () => {
      const response = await t.api.get('/health/ready');
      return response.status === 200 ? response : undefined;
    }, 'readiness');
    expect(body.data).toEqual({
      status: 'ok',
      database: 'up',
      migrations: 'applied',
      worker: 'running',
      stopping: false,
    });
  });

  it('measure requests by route and status, jobs and the connection pool', async () => {
    const actor = await t.actors.signedInUser();
    await t.api.get('/auth/me').set(actor.bearer).expect(200);
    await t.api.get('/no/such/route?token=secret').expect(404);
    await t.api.post('/auth/password/forgot').send({ email: actor.user.email }).expect(200);
    await t.mailbox.last(actor.user.email);
    const text = await eventually(async () => {
      const response = (await t.http.get('/metrics').expect(200)).text;
      return response.includes('jobs_finished_total{') ? response : undefined;
    }, 'a finished job');
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/api/v1/auth/me",status="200"} 1');
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="unknown",status="404"} 1');
    expect(text).toContain('jobs_finished_total{task="send-link-mail",outcome="done"} 1');
    expect(text).toContain('jobs_waiting{state="dead"} 0');
    expect(text).toMatch(/database_pool_connections\{state="idle"\} \d/);
    expect(text).toContain('database_pool_waiting 0');
  });

  it('log each request once as a JSON line, with its id and without secrets', async () => {
    const actor = await t.actors.signedInUser();
    await t.api.get('/auth/verify-email?token=top-secret').set('X-Request-Id', 'line-1').set(actor.bearer).expect(400);
    const lines = await eventually(() => {
      const found = t.logLines.filter((line) => line.includes('line-1'));
      return found.length ? found : undefined;
    }, 'the log line');
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        clientRequestId: 'line-1',
        event: 'request.completed',
        method: 'GET',
        path: '/api/v1/auth/verify-email',
        status: 400,
        ms: expect.any(Number),
        ip: expect.stringContaining('127.0.0.1'),
        userId: actor.user.id,
        tenantId: null,
        msg: 'Request completed',
      },
    ]);
    const log = t.logLines.join('');
    for (const secret of ['top-secret', actor.accessToken, actor.refreshToken, 'correct horse battery'])
      expect(log).not.toContain(secret);
  });

  it('log a successful health check only at level debug', async () => {
    await t.api.get('/health/live').set('X-Request-Id', 'probe-1').expect(200);
    await t.api.get('/health/none').set('X-Request-Id', 'probe-2').expect(404);
    await eventually(() => t.logLines.some((line) => line.includes('probe-2')), 'the second line');
    expect(t.logLines.filter((line) => line.includes('probe-1'))).toEqual([]);
  });

  it('creates requests and responses with the prototypes of Express', async () => {
    const { request, response } = t.nest.getHttpAdapter().getInstance();
    const isReplaced = new Promise<boolean>((resolve) => {
      t.nest.getHttpServer().prependOnceListener('request', (...created: object[]) => {
        const prototypes = created.map((one) => Object.getPrototypeOf(one) as object);
        resolve(prototypes[0] !== request || prototypes[1] !== response);
      });
    });
    await t.api.get('/health/live').expect(200);
    expect(await isReplaced).toBe(false);
  });

  it('respond to an unknown path with a page for browsers and JSON for other clients', async () => {
    const page = await t.http.get('/nonsense').set('Accept', 'text/html,*/*;q=0.8').expect(404);
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.text).toContain('Page not found');
    const envelope = { success: false, error: { code: 'NOT_FOUND', message: expect.any(String) } };
    expect((await t.http.get('/nonsense').expect(404)).body).toEqual(envelope);
    expect((await t.http.post('/nonsense').set('Accept', 'text/html').expect(404)).body).toEqual(envelope);
    expect((await t.api.get('/nonsense').set('Accept', 'text/html').expect(404)).body).toEqual(envelope);
    await t.http.get('/favicon.ico').expect(204);
  });

  it('serve the API document at /openapi.json and its pages at /docs', async () => {
    const { body } = await t.http.get('/openapi.json').expect(200);
    expect(body).toMatchObject({ openapi: '3.1.0', paths: { '/api/v1/auth/login': expect.any(Object) } });
    const page = await t.http.get('/docs').redirects(1).expect(200);
    expect(page.text).toContain('Tenantry API');
    await t.http.get('/docs/swagger-ui.css').expect(200);
  });
});

describe('a misconfigured service', () => {
  it('is not ready while a migration is missing', async () => {
    const empty = await TestDatabase.create('template0');
    const t = await TestApp.start({ env: { DATABASE_URL: empty.url, WORKER: 'off' } });
    const { body } = await t.api.get('/health/ready').expect(503);
    expect(body.error).toEqual({
      code: 'UNAVAILABLE',
      message: 'Not ready (database: up, migrations: missing, worker: off, stopping: false).',
    });
    await t.close();
    await empty.drop();
  });

  it.each([
    ['requires its token', { METRICS_TOKEN: 'a-long-enough-token' }, undefined, 401],
    ['accepts it', { METRICS_TOKEN: 'a-long-enough-token' }, 'Bearer a-long-enough-token', 200],
    ['rejects another one', { METRICS_TOKEN: 'a-long-enough-token' }, 'Bearer a-long-enough-tokem', 401],
    ['does not exist in production without a token', PRODUCTION, undefined, 404],
  ])('and /metrics, which %s', async (_what, env, authorization, status) => {
    const t = await TestApp.start({ env: { ...env, WORKER: 'off' } });
    await t.http
      .get('/metrics')
      .set(authorization ? { Authorization: authorization } : {})
      .expect(status);
    await t.close();
  });

  it('refuses to start in production with a database role that bypasses row-level security', async () => {
    const database = await TestDatabase.create();
    const superuser = database.url.replace('tenantry:', 'postgres:');
    await expect(TestApp.start({ env: { ...PRODUCTION, DATABASE_URL: superuser, WORKER: 'off' } })).rejects.toThrow(
      'bypasses row-level security',
    );
    await database.drop();
  });
});

import { eventually } from '../../support/eventually';
import { redisServer, TestRedis } from '../../support/redis';
import { TestApp } from '../../support/app';

describe('the rate limit', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ env: { RATE_LIMIT_PER_MINUTE: '3', TRUST_PROXY: 'true' } });
  });
  afterAll(() => t.close());

  const from = (ip: string, path = '/nope') => t.api.get(path).set('X-Forwarded-For', ip);

  it('returns the remaining quota, then 429 with Retry-After', async () => {
    const first = await from('10.0.0.1').expect(404);
    expect(first.headers).toMatchObject({
      'ratelimit-limit': '3',
      'ratelimit-remaining': '2',
      'ratelimit-reset': expect.stringMatching(/^\d+$/),
    });
    await from('10.0.0.1').expect(404);
    await from('10.0.0.1').expect(404);
    const refused = await from('10.0.0.1').expect(429);
    expect(refused.body).toEqual({ success: false, error: { code: 'RATE_LIMITED', message: expect.any(String) } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['x-request-id']).toBeDefined();
    await from('10.0.0.2').expect(404);
  });

  it('counts users across addresses and ignores forged tokens', async () => {
    const logIn = await t.actors.signedInUser();
    for (const ip of ['10.1.0.1', '10.1.0.2', '10.1.0.3']) await from(ip, '/auth/me').set(logIn.bearer).expect(200);
    await from('10.1.0.4', '/auth/me').set(logIn.bearer).expect(429);
    for (let i = 0; i < 3; i++) await from('10.1.0.5', '/auth/me').set('Authorization', `Bearer x.y.${i}`).expect(401);
    await from('10.1.0.5', '/auth/me').set('Authorization', 'Bearer x.y.z').expect(429);
  });

  it('counts public routes by address even with a token', async () => {
    const { bearer } = await t.actors.signedInUser();
    const logIn = (ip: string) =>
      t.api
        .post('/auth/login')
        .set('X-Forwarded-For', ip)
        .set(bearer)
        .send({ email: 'nobody@example.com', password: 'x' });
    for (let i = 0; i < 3; i++) await logIn('10.2.0.1').expect(401);
    await logIn('10.2.0.1').expect(429);
    await t.api.post('/auth/login/').set('X-Forwarded-For', '10.2.0.1').set(bearer).send({}).expect(429);
    await from('10.2.0.1', '/auth/me').set(bearer).expect(200); // nothing was counted for the user
    expect((await t.http.get('/metrics').expect(200)).text).toMatch(/^rate_limited_total\{kind="requests"\} \d+/m);
  });

  it('exempts health and metrics', async () => {
    for (let i = 0; i < 5; i++) {
      await from('10.0.0.9', '/health/live').expect(200);
      await t.http.get('/metrics').set('X-Forwarded-For', '10.0.0.9').expect(200);
    }
  });
});

describe('the limit of POST requests below /auth', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({
      env: { RATE_LIMIT_PER_MINUTE: '1000', AUTH_RATE_LIMIT_PER_MINUTE: '2', TRUST_PROXY: 'true' },
    });
  });
  afterAll(() => t.close());

  it('is shared by all POST routes of one address', async () => {
    const post = (path: string, ip = '10.0.0.1') =>
      t.api.post(path).set('X-Forwarded-For', ip).send({ email: 'nobody@example.com' });
    await post('/auth/password/forgot').expect(200);
    await post('/auth/magic-link/request').expect(200);
    const refused = await post('/auth/resend-verification').expect(429);
    expect(refused.body.error.code).toBe('RATE_LIMITED');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await post('/auth/resend-verification', '10.0.0.2').expect(200);
    await t.api.get('/auth/verify-email?token=x').set('X-Forwarded-For', '10.0.0.1').expect(400);
    await post('/nope').expect(404);
  });
});

// Skipped without an installed Redis; `.ci/run` installs one.
(redisServer ? describe : describe.skip)('the rate limit of several instances', () => {
  let redis: TestRedis;
  let instances: TestApp[];
  beforeAll(async () => {
    redis = await TestRedis.start();
    const env = { RATE_LIMIT_PER_MINUTE: '3', REDIS_URL: redis.url };
    const first = await TestApp.start({ env });
    instances = [first, await TestApp.start({ env, beside: first })];
  });
  afterAll(async () => {
    for (const instance of [...instances].reverse()) await instance.close();
    redis.stop();
  });

  it('is shared, and refuses and delays no one while Redis is unavailable', async () => {
    const [one, other] = instances;
    await eventually(
      async () => (await one.api.get('/nope')).headers['ratelimit-remaining'] === '2' || undefined,
      'the first counted request',
    );
    await other.api.get('/nope').expect(404);
    await one.api.get('/nope').expect(404);
    await other.api.get('/nope').expect(429);
    redis.hang();
    const start = performance.now();
    await one.api.get('/nope').expect(404);
    expect(performance.now() - start).toBeLessThan(2000);
    await redis.kill();
    await one.api.get('/nope').expect(404);
    await other.api.get('/nope').expect(404);
  });
});

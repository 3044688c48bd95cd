import { Client } from 'pg';
import { newSessions } from '../../../dev/new-sessions';
import { refreshTokenRef } from '../../../src/auth/domain/refresh-token-text';
import { Database } from '../../../src/platform/database/database';
import { UnitOfWork } from '../../../src/platform/database/unit-of-work';
import { Redis } from '../../../src/platform/redis';
import { ok } from '../../../src/platform/result';
import { claimsOf } from '../../support/actors';
import { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';
import { redisServer, TestRedis } from '../../support/redis';
import { TcpProxy } from '../../../dev/tcp-proxy';

/** The refresh token of an access token, if it was exchanged. */
const SPENT = `
  SELECT FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id WHERE t.id = $1 AND s.current_token_id <> t.id`;
const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1000));

describe('A statement that takes too long', () => {
  let first: TestApp;
  let t: TestApp;
  let proxy: TcpProxy;
  let superuser: Client;
  let traces: jest.SpyInstance;
  beforeAll(async () => {
    traces = jest.spyOn(console, 'error').mockImplementation(); // the library of the job queue prints there
    first = await TestApp.start({ env: { LOG_LEVEL: 'fatal', WORKER: 'off' } });
    proxy = await TcpProxy.start(first.database.url);
    t = await TestApp.start({ beside: first, env: { DATABASE_URL: proxy.url, LOG_LEVEL: 'fatal' } });
    superuser = new Client({ connectionString: first.database.url.replace('tenantry:', 'postgres:') });
    await superuser.connect();
  });
  afterAll(async () => {
    await superuser.end();
    await t.close();
    await proxy.close();
    await first.close();
    traces.mockRestore();
  });

  const refresh = (refreshToken: string, at = t) => at.api.post('/auth/refresh').send({ refreshToken });
  const reuses = () => t.database.query(`SELECT FROM audit_log WHERE action = 'session.token-reused'`);

  it('has no effect if the refresh returns 503, and the same token works when the lock is released', async () => {
    const actor = await t.actors.signedInUser();
    await superuser.query('BEGIN');
    await superuser.query('SELECT FROM sessions WHERE user_id = $1 FOR UPDATE', [actor.user.id]);
    const { headers, body } = await refresh(actor.refreshToken).expect(503);
    expect([body.error.code, headers['retry-after']]).toEqual(['UNAVAILABLE', '5']);
    await superuser.query('COMMIT');
    await seconds(0.3); // a statement that the server had not canceled would be done now
    const pair = (await refresh(actor.refreshToken).expect(200)).body.data;
    await refresh(pair.refreshToken).expect(200);
    expect((await refresh(actor.refreshToken).expect(401)).body.error.code).toBe('TOKEN_REUSE_DETECTED');
  });

  it('has an effect if its response is lost, and the same token then returns the stored successor', async () => {
    const actor = await t.actors.signedInUser();
    proxy.breaksBefore = 'SELECT ';
    for (let time = 0; time < 3; time++) await refresh(actor.refreshToken).expect(503);
    proxy.breaksBefore = undefined;
    expect(await t.database.query(SPENT, [claimsOf(actor.accessToken).jti])).toHaveLength(1);
    const pair = (await refresh(actor.refreshToken).expect(200)).body.data;
    await refresh(pair.refreshToken).expect(200);
    expect((await refresh(actor.refreshToken).expect(401)).body.error.code).toBe('TOKEN_REUSE_DETECTED');
  }, 30_000);

  describe('signs out none of 500 users that repeat their refresh while the database stalls for 4 seconds', () => {
    it.each([
      ['because of a lock', () => superuser.query('BEGIN; LOCK TABLE sessions'), () => superuser.query('COMMIT')],
      [
        'because the network is frozen and delivers everything later',
        () => Promise.resolve(proxy.freeze()),
        () => Promise.resolve(proxy.thaw()),
      ],
    ])(
      '%s',
      async (_why, stall, end) => {
        const before = (await reuses()).length;
        const tokens = await newSessions((sql, parameters) => t.database.query(sql, parameters), 500);
        await eventually(async () => (await t.api.get('/health/ready')).status === 200 || undefined, 'readiness');
        await stall();
        const during = Promise.all(tokens.map((token) => refresh(token).then(({ status }) => status)));
        await seconds(4);
        await end();
        const statuses = await during;
        expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
        await seconds(0.5);
        const again = tokens.filter((_, index) => statuses[index] === 503);
        expect(again.length).toBeGreaterThan(10);
        const responses = [];
        for (const token of again) responses.push((await refresh(token)).status);
        expect(responses.filter((status) => status !== 200)).toEqual([]);
        expect(await reuses()).toHaveLength(before);
      },
      60_000,
    );
  });

  it('frees its connection, so a table locked for 7 seconds causes no more connections than documented', async () => {
    const owner = await t.actors.owner();
    const projects = () => t.api.get('/tenants/current/projects').set(owner.bearer);
    const create = () => t.api.post('/tenants/current/projects').set(owner.bearer).send({ name: 'x' });
    const open = async () =>
      Number(
        (
          await superuser.query(
            `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'tenantry'`,
          )
        ).rows[0].count,
      );
    await superuser.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND usename = 'tenantry'`,
    );
    await eventually(async () => (await open()) < 12 || undefined, 'connections of earlier tests to end');
    const others = 1 + 10; // the first instance's
    const locker = new Client({ connectionString: first.database.url.replace('tenantry:', 'postgres:') });
    await locker.connect();
    await locker.query('BEGIN; LOCK TABLE projects');
    let ended = false;
    const clients = Array.from({ length: 30 }, async (_, index) => {
      const seen = [];
      while (!ended) seen.push((await (index % 3 ? projects() : create())).status);
      return seen;
    });
    let most = 0;
    for (let look = 0; look < 70; look++) {
      most = Math.max(most, await open());
      await seconds(0.1);
    }
    ended = true;
    await locker.end();
    const statuses = new Set((await Promise.all(clients)).flat());
    expect(statuses).toContain(503);
    expect(statuses).not.toContain(500);
    expect(most).toBeLessThanOrEqual(17 + others);
    await projects().expect(200);
  }, 60_000);

  it('blocks its tenant for less than 30 seconds if its connection vanishes during a transaction', async () => {
    const owner = await t.actors.owner();
    const vanished = t.nest.get(UnitOfWork).inTenant(
      { tenantId: owner.tenantId },
      async () => {
        proxy.freeze();
        await seconds(3);
        return ok();
      },
      'exclusive',
    );
    const outcome = vanished.catch((error: Error) => error.message);
    await seconds(0.3);
    const start = performance.now();
    const rename = () => first.api.patch('/tenants/current').set(owner.bearer).send({ name: 'Free again' });
    await rename().expect(503);
    await eventually(async () => (await rename()).status === 200 || undefined, 'the tenant to be free again', 30_000);
    expect(performance.now() - start).toBeLessThan(30_000);
    proxy.thaw();
    expect(await outcome).toMatch(/timeout|terminated/i);
    await eventually(async () => (await t.api.get('/health/ready')).status === 200 || undefined, 'readiness', 30_000);
  }, 90_000);

  it('is limited by the server, whatever options the database URL has, without additional messages', async () => {
    const url = new URL(first.database.url);
    url.searchParams.set('options', '-c geqo=off -c statement_timeout=0');
    const other = await TestApp.start({ beside: first, env: { DATABASE_URL: url.toString(), WORKER: 'off' } });
    const names = [
      'geqo',
      'statement_timeout',
      'lock_timeout',
      'idle_in_transaction_session_timeout',
      'jit',
      'tcp_user_timeout',
      'tcp_keepalives_idle',
    ];
    const shown = await other.nest
      .get(Database)
      .query<{ name: string; setting: string }>('SELECT name, setting FROM pg_settings WHERE name = ANY($1)', [names]);
    expect(Object.fromEntries(shown.map(({ name, setting }) => [name, setting]))).toEqual({
      geqo: 'off',
      statement_timeout: '2000',
      lock_timeout: '1900',
      idle_in_transaction_session_timeout: '10000',
      jit: 'off',
      tcp_user_timeout: '20000',
      tcp_keepalives_idle: '10',
    });
    await other.close();
  });
});

(redisServer ? describe : describe.skip)('A refresh whose response was lost on one instance', () => {
  it('is known to the other instances through Redis, which stores only hashes', async () => {
    const redis = await TestRedis.start();
    const first = await TestApp.start({ env: { REDIS_URL: redis.url, WORKER: 'off' } });
    const proxy = await TcpProxy.start(first.database.url);
    const second = await TestApp.start({
      beside: first,
      env: { REDIS_URL: redis.url, DATABASE_URL: proxy.url, LOG_LEVEL: 'fatal', WORKER: 'off' },
    });
    const actor = await second.actors.signedInUser();
    const refresh = (at: TestApp) => at.api.post('/auth/refresh').send({ refreshToken: actor.refreshToken });
    proxy.freeze();
    await refresh(second).expect(503);
    proxy.thaw();
    const { jti } = claimsOf(actor.accessToken);
    await eventually(
      async () => (await first.database.query(SPENT, [jti])).length === 1 || undefined,
      'what arrives later',
    );
    const unanswered = jest.spyOn(first.nest.get(Redis), 'ask').mockRejectedValue(new Error('Redis was not asked'));
    const unknown = await refresh(first).expect(503);
    expect([unknown.body.error.code, unknown.headers['retry-after']]).toEqual(['UNAVAILABLE', '5']);
    unanswered.mockRestore();
    await refresh(first).expect(200);
    const keys = (await redis.keys()).join();
    expect(keys).toContain(refreshTokenRef(actor.refreshToken)!.secretHash.toString('base64'));
    expect(keys).not.toContain(actor.refreshToken);
    expect((await refresh(first).expect(401)).body.error.code).toBe('TOKEN_REUSE_DETECTED');
    await second.close();
    await first.close();
    await proxy.close();
    redis.stop();
  }, 60_000);
});

import type { OpenAPIObject } from '@nestjs/swagger';
import { AnswerHeaders } from '../../../dev/response-headers';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';
import { StreamingReplica } from '../../support/streaming-replica';

const POSITION = /^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/;

/** A replica that lags behind, and one that is away (docs/decisions/0040-read-your-writes.md). */
describe('A service with a streaming replica', () => {
  let servers: StreamingReplica;
  let t: TestApp;
  let owner: Member;
  let serial = 0;
  beforeAll(async () => {
    servers = await StreamingReplica.start();
    t = await TestApp.start({ env: { ...servers.settings, WORKER: 'off', LOG_LEVEL: 'info' } });
    owner = await t.actors.owner();
    await servers.untilReplayed();
  }, 60_000);
  afterAll(async () => {
    await t.close();
    await servers.stop();
  });
  afterEach(() => servers.resume());

  const rename = (name: string) => t.api.patch('/tenants/current').set(owner.bearer).send({ name }).expect(200);
  /** The name of the tenant for a client that wants to read behind a position. */
  const nameAfter = async (after?: string) => {
    const request = t.api.get('/tenants/current').set(owner.bearer);
    if (after !== undefined) request.set('X-Read-After', after);
    return (await request.expect(200)).body.data.name as string;
  };
  const newName = () => `Tenant ${++serial}`;
  const metric = async (name: string) => {
    const { text } = await t.http.get('/metrics').expect(200);
    return Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (.*)$`, 'm').exec(text)?.[1] ?? 0);
  };
  const untilReplayed = (wanted: string) =>
    eventually(async () => (await nameAfter()) === wanted || undefined, 'the replica');
  const BEHIND = 'database_replica_fallbacks_total{reason="behind"}';

  it('says in the response to a command where its writes are, and not in that to a query', async () => {
    const { headers } = await rename(newName());
    expect(headers['x-read-after']).toMatch(POSITION);
    expect((await t.api.get('/auth/me').set(owner.bearer).expect(200)).headers['x-read-after']).toBeUndefined();
    const sql = `SELECT '${headers['x-read-after']}'::pg_lsn <= pg_current_wal_insert_lsn() AS "isPast"`;
    expect(await servers.query('primary', sql)).toEqual([{ isPast: true }]);
  });

  it('says so too if a command fails, as the API document declares, and not if its input is refused', async () => {
    const { email } = await t.actors.user();
    const logIn = (body: object) => t.api.post('/auth/login').send(body);
    const failed = await logIn({ email, password: 'wrong' }).expect(401);
    expect(failed.headers['x-read-after']).toMatch(POSITION);
    expect((await logIn({ email }).expect(400)).headers['x-read-after']).toBeUndefined();
    const { body } = await t.http.get('/openapi.json').expect(200);
    const headers = new AnswerHeaders(body as OpenAPIObject);
    expect(headers.declared('POST', '/api/v1/auth/login', 401)).toContain('X-Read-After');
    expect(headers.declared('GET', '/api/v1/auth/me', 200)).toEqual(['X-Request-Id']);
  });

  it('shows a client its own writes while the replica lags behind, and others what the replica has', async () => {
    const [first, second] = [newName(), newName()];
    await rename(first);
    await untilReplayed(first);
    await servers.pause();
    const behind = await metric(BEHIND);
    const { headers } = await rename(second);
    expect(await nameAfter(headers['x-read-after'])).toBe(second);
    expect(await metric(BEHIND)).toBe(behind + 1);
    expect(await nameAfter()).toBe(first);
    await servers.resume();
    await untilReplayed(second);
    expect(await nameAfter(headers['x-read-after'])).toBe(second);
    expect(await metric(BEHIND)).toBe(behind + 1); // from the replica
  });

  it('knows the writes of a refresh and of a changed profile', async () => {
    const actor = await t.actors.signedInUser();
    await servers.pause();
    const refreshed = await t.api.post('/auth/refresh').send({ refreshToken: actor.refreshToken }).expect(200);
    const changed = await t.api.patch('/users/me').set(actor.bearer).send({ name: 'Grace' }).expect(200);
    for (const { headers } of [refreshed, changed]) expect(headers['x-read-after']).toMatch(POSITION);
    const after = { ...actor.bearer, 'X-Read-After': changed.headers['x-read-after'] };
    expect((await t.api.get('/auth/me').set(after).expect(200)).body.data.user.name).toBe('Grace');
  });

  it('ignores a malformed position', async () => {
    const [first, second] = [newName(), newName()];
    await rename(first);
    await untilReplayed(first);
    await servers.pause();
    await rename(second);
    for (const wrong of ['', '0', 'FFFFFFFFF/FFFFFFFF', "0/0'; SELECT 1 --", 'FFFF/FFFF, FFFF/FFFF'])
      expect(await nameAfter(wrong)).toBe(first);
    expect(await nameAfter('FFFF/FFFF')).toBe(second);
  });

  it('lets a page of the web client send and read the header', async () => {
    const Origin = t.settings.frontendOrigin;
    const asked = { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-read-after' };
    const preflight = await t.api.options('/tenants/current').set({ Origin, ...asked });
    expect(preflight.headers['access-control-allow-headers']).toBe('x-read-after');
    const answer = await t.api.get('/auth/me').set({ ...owner.bearer, Origin });
    expect(answer.headers['access-control-expose-headers']).toContain('X-Read-After');
  });

  it('reads from the primary while the replica is away, stays ready, and returns to it', async () => {
    await servers.disappear();
    const wanted = newName();
    await rename(wanted);
    expect(await nameAfter()).toBe(wanted);
    expect(await metric('database_replica_up')).toBe(0);
    await t.api.get('/health/ready').expect(200);
    for (let i = 0; i < 20; i++) await nameAfter();
    expect(t.logLines.filter((line) => line.includes('database.replica_lost'))).toHaveLength(1);
    await servers.reappear();
    await eventually(async () => (await metric('database_replica_up')) === 1 || undefined, 'the replica');
    expect(t.logLines.join()).toContain('database.replica_recovered');
    await servers.pause();
    await rename(newName());
    expect(await nameAfter()).toBe(wanted); // from the replica
  });

  it('starts and is ready without the replica, and uses it once it is there', async () => {
    await servers.disappear();
    const second = await TestApp.start({ beside: t, env: { ...servers.settings, WORKER: 'off', LOG_LEVEL: 'fatal' } });
    await second.api.get('/health/ready').expect(200);
    expect((await second.api.get('/auth/me').set(owner.bearer).expect(200)).body.data.user.id).toBe(owner.user.id);
    await servers.reappear();
    const isUp = async () => (await second.http.get('/metrics').expect(200)).text.includes('database_replica_up 1\n');
    await eventually(async () => (await isUp()) || undefined, 'the replica');
    await second.close();
  });
});

describe('A service without a replica', () => {
  it('names no position, and ignores one', async () => {
    const t = await TestApp.start({ env: { WORKER: 'off' } });
    const actor = await t.actors.signedInUser();
    const changed = await t.api.patch('/users/me').set(actor.bearer).send({ name: 'Grace' }).expect(200);
    expect(changed.headers['x-read-after']).toBeUndefined();
    await t.api
      .get('/auth/me')
      .set({ ...actor.bearer, 'X-Read-After': 'FFFFFFFF/FFFFFFFF' })
      .expect(200);
    await t.close();
  });
});

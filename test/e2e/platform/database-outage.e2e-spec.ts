import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { TestApp } from '../../support/app';
import { TestDatabase } from '../../support/database';
import { codeOf } from '../../support/error-code';
import { eventually } from '../../support/eventually';
import { SERVICE_ROLE } from '../../../dev/service-database';
import { TcpProxy } from '../../../dev/tcp-proxy';

const until = (look: () => Promise<boolean>, what: string) => eventually(async () => (await look()) || undefined, what);
const isReady = (t: TestApp) => async () => (await t.api.get('/health/ready')).status === 200;

describe('A database that becomes unavailable', () => {
  let database: TestDatabase;
  let traces: jest.SpyInstance;
  let proxy: TcpProxy;
  beforeEach(async () => {
    traces = jest.spyOn(console, 'error').mockImplementation(); // the library of the job queue prints there
    database = await TestDatabase.create();
    proxy = await TcpProxy.start(database.url);
  });
  afterEach(async () => {
    traces.mockRestore();
    await proxy.close();
    await database.drop();
  });

  it.each([
    ['refuses connections', () => proxy.close(), () => proxy.listen()],
    ['hangs', () => Promise.resolve(proxy.freeze()), () => Promise.resolve(proxy.thaw())],
  ])(
    'and %s causes a 503 within 5 seconds; requests, readiness and jobs recover when it is back',
    async (_how, goAway, comeBack) => {
      const t = await TestApp.start({ env: { DATABASE_URL: proxy.url, LOG_LEVEL: 'fatal' } });
      const actor = await t.actors.owner();
      await until(isReady(t), 'readiness');
      await goAway();
      const timed = async (request: ReturnType<typeof t.api.get>, code = 'UNAVAILABLE') => {
        const start = performance.now();
        const { body, headers } = await request.expect(503);
        expect(performance.now() - start).toBeLessThan(5000);
        expect(body.error.code).toBe(code);
        return headers;
      };
      const me = () => t.api.get('/auth/me').set(actor.bearer);
      const projects = () => t.api.get('/tenants/current/projects').set(actor.bearer);
      const [headers] = await Promise.all([
        timed(me()),
        ...Array.from({ length: 15 }, (_, i) => timed(i % 2 ? me() : projects())),
      ]);
      expect(headers['retry-after']).toBe('5');
      await timed(t.api.post('/auth/refresh').send({ refreshToken: 'whatever' }));
      await timed(
        t.api.post('/auth/register').send({ email: 'x@example.com', password: 'correct horse battery', name: 'X' }),
      );
      await timed(t.api.get('/health/ready'));
      await t.api.get('/health/live').expect(200);
      await comeBack();
      await until(async () => (await me()).status === 200, 'the database');
      await until(async () => (await projects()).status === 200, 'the database, for a tenant');
      await until(isReady(t), 'readiness again');
      await t.api.post('/auth/password/forgot').send({ email: actor.user.email }).expect(200);
      await t.mailbox.last(actor.user.email);
      await t.close();
    },
    60_000,
  );

  it('during a read causes a 503 for that request and not for the next one', async () => {
    const t = await TestApp.start({ env: { DATABASE_URL: database.url, LOG_LEVEL: 'fatal', WORKER: 'off' } });
    const owner = await t.actors.owner();
    const projects = () => t.api.get('/tenants/current/projects').set(owner.bearer);
    const superuser = new Client({ connectionString: database.url.replace('tenantry:', 'postgres:') });
    await superuser.connect();
    const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    for (const [what, end] of [
      ['cut off', () => database.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) w`)],
      ['overdue', () => Promise.resolve()], // nobody waits longer than 2.5 seconds for a response
    ] as const) {
      await superuser.query('BEGIN; LOCK TABLE projects');
      const stuck = Array.from({ length: 3 }, () => projects().then());
      await until(async () => (await database.query(waiting)).length === 3, 'three reads that wait');
      await end();
      const responses = await Promise.all(stuck);
      await superuser.query('ROLLBACK');
      expect([what, ...responses.map(({ status }) => status)]).toEqual([what, 503, 503, 503]);
      for (let next = 0; next < 12; next++) await projects().expect(200);
    }
    await superuser.end();
    await t.close();
  }, 30_000);

  it('refuses the password causes a 503 for each request, and one line in the log', async () => {
    const [role, url] = [`changed_${randomBytes(6).toString('hex')}`, new URL(database.url)];
    const setPassword = (password: string) => database.query(`ALTER ROLE ${role} PASSWORD '${password}'`);
    await database.query(`CREATE ROLE ${role} LOGIN IN ROLE ${SERVICE_ROLE} PASSWORD 'first'`);
    Object.assign(url, { username: role, password: 'first' });
    const t = await TestApp.start({ env: { DATABASE_URL: url.toString(), WORKER: 'off' } });
    const owner = await t.actors.owner();
    const projects = () => t.api.get('/tenants/current/projects').set(owner.bearer);
    await projects().expect(200);
    await setPassword('second');
    const connections = 'FROM pg_stat_activity WHERE datname = current_database() AND usename = $1';
    await database.query(`SELECT pg_terminate_backend(pid) ${connections}`, [role]);
    await eventually(async () => (await projects()).status === 503, 'the refusal');
    for (let i = 0; i < 5; i++) expect(codeOf(await projects().expect(503))).toBe('UNAVAILABLE');
    expect(t.logLines.filter((line) => line.includes('database.login_refused'))).toHaveLength(1);
    await setPassword('first');
    await projects().expect(200);
    await t.close();
  });

  it('that is locked causes a 503, also if several statements wait for it', async () => {
    const t = await TestApp.start({ env: { LOG_LEVEL: 'fatal', WORKER: 'off' } });
    const owner = await t.actors.owner();
    const member = await t.actors.member(owner);
    const roleId = await t.actors.roleId(owner, 'Admin');
    const expiresAt = new Date(Date.now() + 86_400_000);
    const superuser = new Client({ connectionString: t.database.superuserUrl });
    await superuser.connect();
    for (const table of ['memberships', 'roles'])
      for (const request of [
        t.api.post('/tenants/current/invitations').send({ email: 'guest@example.com' }),
        t.api.patch(`/tenants/current/members/${member.user.id}`).send({ roleId }),
        t.api.post('/users/me/tokens').send({ name: 'x', permissions: ['tenant.projects.read'], expiresAt }),
      ]) {
        await superuser.query(`BEGIN; LOCK TABLE ${table}`);
        expect(codeOf(await request.set(owner.bearer).expect(503))).toBe('UNAVAILABLE');
        await superuser.query('ROLLBACK');
      }
    await superuser.end();
    await t.close();
  });

  it('does not stop the start, because the service waits for it', async () => {
    await proxy.close();
    const t = await TestApp.start({ env: { DATABASE_URL: proxy.url, LOG_LEVEL: 'fatal' } });
    const logIn = () => t.api.post('/auth/login').send({ email: 'a@example.com', password: 'x' });
    await logIn().expect(503);
    await t.api.get('/health/ready').expect(503);
    await proxy.listen();
    await until(isReady(t), 'readiness');
    await logIn().expect(401);
    await t.close();
  }, 40_000);
});

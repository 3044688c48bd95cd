import { Client } from 'pg';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { eventually } from '../../support/eventually';
import { checkoutCompleted, newSubscriber } from '../../support/stripe-events';

const OTHERS = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND usename = 'tenantry'`;

describe('A temporary error of PostgreSQL', () => {
  let t: TestApp;
  let superuser: Client;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true, env: { LOG_LEVEL: 'error', WORKER: 'off' } });
    superuser = new Client({ connectionString: t.database.url.replace('tenantry:', 'postgres:') });
    await superuser.connect();
  });
  afterAll(async () => {
    await superuser.end();
    await t.close();
  });

  let count = 0;
  const register = () =>
    t.api
      .post('/auth/register')
      .send({ email: `refused${count++}@example.com`, password: 'correct horse battery', name: 'Ada' });
  const expectUnavailable = ({ status, body, headers }: Awaited<ReturnType<typeof register>>) =>
    expect([status, body.error?.code, headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '5']);
  /** On a new connection, because a transaction sees a snapshot of the activity. */
  const whatWaits = () => t.database.query(`${OTHERS} AND wait_event_type = 'Lock'`);

  it.each(['pg_cancel_backend', 'pg_terminate_backend'])(
    'causes a 503, and the next request succeeds: %s',
    async (end) => {
      const owner = await t.actors.owner();
      await superuser.query('BEGIN; LOCK TABLE projects');
      const asked = [
        t.api.get('/tenants/current/projects').set(owner.bearer).then(),
        t.api.post('/tenants/current/projects').set(owner.bearer).send({ name: 'x' }).then(),
      ];
      try {
        await eventually(async () => (await whatWaits()).length === asked.length || undefined, 'all to wait', 1500);
        await t.database.query(`SELECT ${end}(pid) FROM (${OTHERS} AND wait_event_type = 'Lock') w`);
        for (const response of await Promise.all(asked)) expectUnavailable(response);
      } finally {
        await superuser.query('ROLLBACK');
      }
      await register().expect(201);
      for (let next = 0; next < 12; next++) await t.api.get('/tenants/current/projects').set(owner.bearer).expect(200);
    },
  );

  it('causes 503, never 500, while connections are terminated, and keeps acknowledged writes', async () => {
    const owner = await t.actors.owner({ plan: 'Business' });
    const statuses = new Map<number, number>();
    const registered: string[] = [];
    let ended = false;
    const ends = (async () => {
      for (let round = 0; round < 40; round++) {
        await superuser.query(`SELECT pg_terminate_backend(pid) FROM (${OTHERS}) o`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      ended = true;
    })();
    const ask = async (worker: number) => {
      for (let round = 0; !ended; round++) {
        const email = `w${worker}-${round}@example.com`;
        const requests = [
          () => t.api.post('/auth/register').send({ email, password: 'correct horse battery', name: 'Ada' }),
          () => t.api.post('/tenants/current/projects').set(owner.bearer).send({ name: email }),
          () => t.api.post('/tenants/current/invitations').set(owner.bearer).send({ email }),
        ];
        const response = await requests[(worker + round) % 3]();
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        if (response.status === 201 && response.body.data?.id && (worker + round) % 3 === 0) registered.push(email);
      }
    };
    await Promise.all([ends, ...Array.from({ length: 12 }, (_, worker) => ask(worker))]);
    expect([...statuses.keys()].filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
    expect(statuses.get(503)).toBeGreaterThan(0);
    const there = await t.database.query('SELECT FROM users WHERE email = ANY($1)', [registered]);
    expect(there).toHaveLength(registered.length);
  }, 30_000);

  describe('causes a 503 for a webhook too, which succeeds when it is delivered again:', () => {
    it.each([
      ['a database that is read-only', 'SET default_transaction_read_only = on', 'RESET default_transaction_read_only'],
      ['a database without free connections', 'CONNECTION LIMIT 0', 'CONNECTION LIMIT -1'],
    ])(
      '%s',
      async (_what, begin, end) => {
        const owner = await t.actors.owner();
        const event = checkoutCompleted(newSubscriber(owner.tenantId));
        const alter = async (what: string) => {
          await superuser.query(`ALTER DATABASE ${t.database.name} ${what}`);
          await superuser.query(`SELECT pg_terminate_backend(pid) FROM (${OTHERS}) o`);
        };
        const billing = new Billing(t);
        await alter(begin);
        try {
          const status = await billing.deliver(event);
          expect([status, status === 503 ? [] : t.logLines]).toEqual([503, []]); // the log says what it is instead
          expectUnavailable(await register());
        } finally {
          await alter(end);
        }
        await eventually(
          async () => (await t.api.get('/health/ready')).status === 200 || undefined,
          'readiness',
          30_000,
        );
        await billing.take(event);
        expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro' });
        await register().expect(201);
      },
      60_000,
    );
  });
});

import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { TcpProxy } from '../../../dev/tcp-proxy';
import { BillingLease } from '../../../src/billing/checkout/services/billing-lease';
import { Database } from '../../../src/platform/database/database';
import { DomainEvents } from '../../../src/platform/domain-events';
import { ok } from '../../../src/platform/result';
import { DeliveryQueue } from '../../../src/webhooks/services/delivery-queue';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';
import { WebhookDeliveries, WITH_LOCAL_RECEIVERS } from '../../support/webhook-deliveries';

const PROJECTS = '/tenants/current/projects';
/** Milliseconds for which the database is away, and in which it is used again. */
const AWAY_MS = 3000;
const SOON_MS = 5000;

const newKey = () => randomBytes(16).toString('hex');

describe('a claim that a failed statement has left behind', () => {
  let [base, t, line, owner] = [] as unknown as [TestApp, TestApp, TcpProxy, Member];
  beforeAll(async () => {
    base = await TestApp.start({ env: { WORKER: 'off', ...WITH_LOCAL_RECEIVERS } });
    line = await TcpProxy.start(base.database.url);
    t = await TestApp.start({ beside: base, env: { DATABASE_URL: line.url, WORKER: 'off' } });
    owner = await base.actors.owner({ plan: 'Business' });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    line.breaksBefore = undefined;
  });
  afterAll(async () => {
    await t.close();
    await line.close();
    await base.close();
  });

  const create = (key: string, name: string) =>
    t.api.post(PROJECTS).set(owner.bearer).set('Idempotency-Key', key).send({ name });
  const created = (key: string, name: string) =>
    eventually(async () => ((await create(key, name)).status === 200 ? true : undefined), 'the project', SOON_MS);
  const projects = (name: string) => base.database.query('SELECT FROM projects WHERE name = $1', [name]);
  const releases = () => t.logLines.filter((text) => text.includes('claims.released')).length;
  /** Runs `fault` within the transaction of the next write. */
  const inNextWrite = (fault: () => Promise<unknown>) =>
    jest.spyOn(t.nest.get(DomainEvents), 'publish').mockImplementationOnce(async () => {
      await fault();
    });

  /** Fails the next statement with this text after it was executed. */
  const loseResponseTo = (text: string) => {
    const database = t.nest.get(Database);
    const query = database.query.bind(database);
    const mocked = jest.spyOn(database, 'query').mockImplementation(async (sql, parameters) => {
      const rows = await query(sql, parameters);
      if (!sql.includes(text)) return rows;
      mocked.mockRestore();
      throw new Error('Query read timeout');
    });
  };

  it('of a write with a key is released when the database is back: the repetition is executed', async () => {
    const key = newKey();
    inNextWrite(() => line.close());
    await create(key, 'Released').expect(503);
    await pause(AWAY_MS);
    await line.listen();
    await created(key, 'Released');
    expect(await projects('Released')).toHaveLength(1);
    expect(releases()).toBe(1);
  });

  it('of a write with a key is released if its own response was lost', async () => {
    const key = newKey();
    const before = releases();
    loseResponseTo('INSERT INTO idempotency_keys');
    const refused = await create(key, 'Claimed').expect(503);
    expect(refused.body.error.code).toBe('UNAVAILABLE'); // nothing was written yet
    expect(await base.database.query('SELECT FROM idempotency_keys WHERE answer IS NULL')).toHaveLength(1);
    await created(key, 'Claimed');
    expect(await projects('Claimed')).toHaveLength(1);
    expect(releases()).toBe(before + 1);
  });

  it('of a write with a key stays if the write was committed: the repetition gets its answer', async () => {
    const key = newKey();
    line.breaksBefore = 'COMMIT\0';
    const lost = await create(key, 'Committed').expect(503);
    expect([lost.body.error.code, lost.headers['retry-after']]).toEqual(['OUTCOME_UNKNOWN', '5']);
    line.breaksBefore = undefined;
    const again = await create(key, 'Committed').expect(200);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await projects('Committed')).toHaveLength(1);
  });

  it('of a write with a key stays if the wait for a synchronous standby was canceled', async () => {
    const key = newKey();
    await base.database.query(`CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE WARNING 'canceling wait for synchronous replication due to user request'; RETURN NULL; END $$`);
    await base.database.query(`CREATE CONSTRAINT TRIGGER warn AFTER INSERT ON projects DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION warn()`);
    expect((await create(key, 'Canceled').expect(503)).body.error.code).toBe('OUTCOME_UNKNOWN');
    await base.database.query('DROP TRIGGER warn ON projects');
    const again = await create(key, 'Canceled').expect(200);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await projects('Canceled')).toHaveLength(1);
  });

  it('of webhook deliveries is released if the response to COMMIT was lost', async () => {
    const webhooks = await WebhookDeliveries.start(base);
    await webhooks.waiting(await webhooks.endpoint(), 3, base.clock.now());
    line.breaksBefore = 'COMMIT\0';
    await expect(t.nest.get(DeliveryQueue, { strict: false }).take(10, [])).rejects.toThrow();
    line.breaksBefore = undefined;
    const due = (condition: string) =>
      base.database.query(`SELECT FROM webhook_deliveries WHERE state = 'due' AND next_at ${condition}`);
    expect(await due(`> now() + interval '30 seconds'`)).toHaveLength(3);
    await eventually(async () => (await due('<= now()')).length === 3 || undefined, 'due deliveries', SOON_MS);
    webhooks.stop();
  });

  it('of a change of the billing is released if the response to COMMIT was lost', async () => {
    const { tenantId } = owner;
    const leases = () => base.database.query('SELECT FROM subscriptions WHERE preparing_until IS NOT NULL');
    const lease = t.nest.get(BillingLease, { strict: false });
    const within = () =>
      lease.within(
        tenantId,
        () => ok(),
        async () => Promise.resolve(ok('changed')),
      );
    line.breaksBefore = 'COMMIT\0';
    await expect(within()).rejects.toThrow();
    line.breaksBefore = undefined;
    expect(await leases()).toHaveLength(1);
    await eventually(async () => (await leases()).length === 0 || undefined, 'no lease', SOON_MS);
    expect(await within()).toEqual(ok('changed'));
  });
});

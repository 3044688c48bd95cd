import { Client } from 'pg';
import { DomainEvents } from '../../../src/platform/domain-events';
import { SyncRequested } from '../../../src/billing/billing.events';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import {
  checkoutCompleted,
  invoiceEvent,
  subscriptionUpdated,
  type Subscriber,
  type TestEvent,
} from '../../support/stripe-events';
import { FAILED, SubscriptionHistory } from '../../support/subscription-history';

interface Subscribed {
  readonly owner: Member;
  readonly subscriber: Subscriber;
}

describe('Stripe events that arrive at the same time', () => {
  let t: TestApp;
  let billing: SubscriptionHistory;
  let tenants: Subscribed[];
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new SubscriptionHistory(t);
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    tenants = await Promise.all(Array.from({ length: 12 }, () => billing.inState('Active')));
  });

  const failureOf = ({ subscriber }: Subscribed) => invoiceEvent('payment_failed', subscriber, billing.next());
  const deliver = async (events: readonly TestEvent[]) =>
    expect(await Promise.all(events.map((event) => billing.deliver(event)))).toEqual(events.map(() => 200));
  /** How many transactions have stored events. */
  const transactions = async (events: readonly TestEvent[]) => {
    const sql = 'SELECT count(DISTINCT xmin::text)::int AS n FROM webhook_events WHERE event_id = ANY($1)';
    return (await t.database.query<{ n: number }>(sql, [events.map(({ id }) => id)]))[0].n;
  };
  const states = (of: readonly Subscribed[]) =>
    Promise.all(of.map(async ({ owner }) => (await billing.subscription(owner)).status));

  it('are applied in few transactions, each with its own effects', async () => {
    const failures = tenants.map(failureOf);
    await deliver(failures);
    expect(await transactions(failures)).toBeLessThan(failures.length);
    expect(await states(tenants)).toEqual(tenants.map(() => 'PastDue'));
    for (const { owner } of tenants) {
      expect(await billing.mails(owner)).toEqual([FAILED]);
      expect(await billing.notifications(owner)).toEqual(['SubscriptionPastDue']);
    }
  });

  it('keep the id of their own request in what they record', async () => {
    const failures = tenants.map(failureOf);
    await deliver(failures);
    const sql = `SELECT count(DISTINCT request_id)::int AS n FROM audit_log
      WHERE tenant_id = ANY($1) AND action = 'subscription.changed' AND data->'after'->>'status' = 'PastDue'`;
    const tenantIds = tenants.map(({ owner }) => owner.tenantId);
    expect(await t.database.query(sql, [tenantIds])).toEqual([{ n: tenants.length }]);
  });

  it('are stored once if they are delivered twice', async () => {
    const failures = tenants.map(failureOf);
    await deliver([...failures, ...failures]);
    for (const failure of failures) expect(await billing.stored(failure)).toHaveLength(1);
    for (const { owner } of tenants) expect(await billing.mails(owner)).toEqual([FAILED]);
  });

  it('see each other’s changes if they are of one tenant, and the newest one counts', async () => {
    const [first] = tenants;
    const renewals = Array.from({ length: 6 }, (_, index) =>
      subscriptionUpdated(first.subscriber, { periodEnd: 1_900_000_100 + index }, billing.next()),
    );
    const failures = tenants.slice(1).map(failureOf);
    await deliver([...failures.slice(0, 4), ...renewals.toReversed(), ...failures.slice(4)]);
    expect((await billing.subscription(first.owner)).currentPeriodEnd).toBe(
      new Date(1_900_000_105 * 1000).toISOString(),
    );
    for (const renewal of renewals) expect(await billing.stored(renewal)).toMatchObject([{ status: 'processed' }]);
    expect(await states(tenants.slice(1))).toEqual(failures.map(() => 'PastDue'));
  });

  it('are applied although one of them fails, which is stored as failed', async () => {
    const [bad, ...good] = tenants;
    let isBroken = true;
    t.nest.get(DomainEvents).on(SyncRequested, (events) => {
      if (!isBroken || !events.some(({ tenantId }) => tenantId === bad.owner.tenantId)) return Promise.resolve();
      return Promise.reject(new Error('a bug'));
    });
    const [failed, ...others] = tenants.map(failureOf);
    await deliver([failed, ...others]);
    isBroken = false;
    expect(await billing.stored(failed)).toMatchObject([{ status: 'failed', error: 'a bug', attempts: 1 }]);
    expect(await states(good)).toEqual(good.map(() => 'PastDue'));
    for (const { owner } of good) expect(await billing.mails(owner)).toEqual([FAILED]);
  });

  it('wait for no other tenants, whose subscriptions a transaction has locked', async () => {
    const [locked, free] = [tenants.slice(0, 3), tenants.slice(3)];
    const holder = new Client({ connectionString: t.database.superuserUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      const lockedIds = locked.map(({ owner }) => owner.tenantId);
      await holder.query('SELECT FROM subscriptions WHERE tenant_id = ANY($1) FOR UPDATE', [lockedIds]);
      const waiting = deliver(locked.map(failureOf));
      await deliver(free.map(failureOf));
      expect(await states(free)).toEqual(free.map(() => 'PastDue'));
      expect(await states(locked)).toEqual(locked.map(() => 'Active'));
      await holder.query('COMMIT');
      await waiting;
      expect(await states(locked)).toEqual(locked.map(() => 'PastDue'));
    } finally {
      await holder.end();
    }
  });

  it('of tenants without a subscription are applied too', async () => {
    const owners = await Promise.all(Array.from({ length: 4 }, () => t.actors.owner()));
    const completed = owners.map(({ tenantId }, index) =>
      checkoutCompleted({ tenantId, customerId: `cus_new${index}`, subscriptionId: `sub_new${index}` }),
    );
    await deliver([...completed, ...tenants.map(failureOf)]);
    for (const owner of owners) expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro' });
  });
});

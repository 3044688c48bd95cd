import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { event, newSubscriber, invoiceEvent, subscriptionUpdated, type TestEvent } from '../../support/stripe-events';
import { FAILED, SubscriptionHistory } from '../../support/subscription-history';

describe('an event that two instances receive at the same time', () => {
  let t: TestApp;
  let other: TestApp;
  let billing: SubscriptionHistory;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    other = await TestApp.start({ processor: true, beside: t });
    billing = new SubscriptionHistory(t);
    await deliver(event('customer.created', {})); // opens their connections
  });
  afterAll(async () => {
    await other.close();
    await t.close();
  });

  /** Delivers an event to both instances, four times to each. */
  async function deliver(sent: TestEvent): Promise<void> {
    const deliveries = Array.from({ length: 4 }, () => [t, other]).flatMap((apps) =>
      apps.map(({ address }) => t.processor.post(sent, { url: `${address}/api/v1/webhooks/stripe` })),
    );
    expect((await Promise.all(deliveries)).map(({ status }) => status)).toEqual(Array(8).fill(200));
  }

  async function expectAppliedOnce(owner: Member, failed: TestEvent): Promise<void> {
    expect(await billing.stored(failed)).toMatchObject([
      { status: 'processed', tenantId: owner.tenantId, error: null, attempts: 1 },
    ]);
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', status: 'PastDue' });
    expect(await billing.mails(owner)).toEqual([FAILED]);
    expect(await billing.notifications(owner)).toEqual(['SubscriptionPastDue']);
    const changed = `SELECT count(*)::int AS n FROM audit_log WHERE tenant_id = $1 AND action = 'subscription.changed'
      AND data->'after'->>'status' = 'PastDue'`;
    expect(await t.database.query(changed, [owner.tenantId])).toEqual([{ n: 1 }]);
  }

  it('is applied once, with one email and one notification', async () => {
    for (let repeated = 0; repeated < 5; repeated++) {
      const { owner, subscriber } = await billing.inState('Active');
      const failed = invoiceEvent('payment_failed', subscriber, billing.next());
      await deliver(failed);
      await expectAppliedOnce(owner, failed);
    }
  });

  it('is applied once even if it is the first of a tenant, which has no subscription yet', async () => {
    for (let repeated = 0; repeated < 5; repeated++) {
      const owner = await t.actors.owner();
      const failed = subscriptionUpdated(newSubscriber(owner.tenantId), { status: 'past_due' }, billing.next());
      await deliver(failed);
      await expectAppliedOnce(owner, failed);
    }
  });
});

import { clientOf } from '../../../dev/stripe/stand-in-client';
import { SubscriptionRecovered } from '../../../src/billing/billing.events';
import { DomainEvents } from '../../../src/platform/domain-events';
import { DAY } from '../../../src/platform/clock';
import { TestApp } from '../../support/app';
import type { Member } from '../../support/actors';
import { invoiceEvent } from '../../support/stripe-events';
import { FAILED, NOTHING, RECOVERED, SubscriptionHistory } from '../../support/subscription-history';

describe('a past due subscription that a customer changes on the pages of Stripe', () => {
  let t: TestApp;
  let billing: SubscriptionHistory;
  /** The tenants of which receivers were told a recovery. */
  const recovered: string[] = [];
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new SubscriptionHistory(t);
    t.nest.get(DomainEvents).on(SubscriptionRecovered, async (events) => {
      recovered.push(...events.map(({ after }) => after.tenantId));
      await Promise.resolve();
    });
  });
  afterAll(() => t.close());

  /** Delivers what Stripe has to tell, and reads what the events lead to. */
  const settle = async () => {
    await t.processor.drain();
    await billing.untilJobsAreDone('sync-subscription');
  };
  const moneyMails = async (owner: Member) =>
    (await billing.mails(owner)).filter((subject) => [FAILED, RECOVERED].includes(subject));

  it('is Active when nothing is due on the newest invoice, which is no recovery', async () => {
    const { customerActions } = t.processor;
    const owner = await t.actors.owner();
    const read = () => billing.untilJobsAreDone('sync-subscription');
    const order = { planName: 'Pro', interval: 'year' };
    const { body } = await t.api.post('/billing/checkout').set(owner.bearer).send(order).expect(200);
    await customerActions.pay(body.data.checkoutUrl as string, 'declining');
    await t.processor.advance(14 * DAY); // the trial is over
    await t.processor.drain();
    await read();
    const { status, processorSubscriptionId } = await billing.subscription(owner);
    expect(status).toBe('PastDue');
    await customerActions.changePlan(processorSubscriptionId!, 'price_pro_monthly'); // the unused year is a credit
    await t.processor.drain();
    await read();
    expect(await billing.subscription(owner)).toMatchObject({ status: 'Active', interval: 'month' });
    expect(await moneyMails(owner)).toEqual([FAILED]);
    expect(await billing.notifications(owner)).toEqual(['TrialEnding', 'SubscriptionPastDue']);
  });

  /** A tenant whose payment after the trial was declined. */
  async function pastDue() {
    const owner = await t.actors.owner();
    const { body } = await t.api.post('/billing/checkout').set(owner.bearer).send({ planName: 'Business' }).expect(200);
    await t.processor.customerActions.pay(body.data.checkoutUrl as string, 'declining');
    await t.processor.advance(15 * DAY);
    await settle();
    const { status, processorSubscriptionId } = await billing.subscription(owner);
    expect(status).toBe('PastDue');
    expect(await moneyMails(owner)).toEqual([FAILED]);
    return { owner, id: processorSubscriptionId!, customer: billing.customersOf(owner)[0].id };
  }

  it('is Active after a credit while the failed invoice is open, and recovers when that is paid', async () => {
    const { owner, id, customer } = await pastDue();
    const stripe = clientOf(t.processor);
    await t.processor.advance(2 * DAY);
    const { items, latest_invoice: failed } = await stripe.subscriptions.retrieve(id);
    await stripe.subscriptions.update(id, {
      items: [{ id: items.data[0].id, price: 'price_pro_monthly' }],
      proration_behavior: 'always_invoice',
    });
    await settle();
    expect(await billing.subscription(owner)).toMatchObject({ status: 'Active', plan: 'Pro' });
    expect(await moneyMails(owner)).toEqual([FAILED]);
    expect(recovered).not.toContain(owner.tenantId);
    await t.processor.customerActions.useCard(customer, 'good');
    await stripe.invoices.pay(failed as string);
    await settle();
    expect(await moneyMails(owner)).toEqual([FAILED, RECOVERED]);
    expect(recovered.filter((tenantId) => tenantId === owner.tenantId)).toHaveLength(1);
  });

  it.each([
    ['by events', false],
    ['by a reading, when every event was lost', true],
  ])('recovers when its open invoice is paid: %s', async (_how, isLost) => {
    const { owner, customer } = await pastDue();
    t.processor.chaos.drop = isLost ? 1 : 0;
    await t.processor.customerActions.useCard(customer, 'good');
    await t.processor.drain();
    t.processor.chaos.drop = 0;
    t.clock.advance(10);
    const { bearer } = await t.actors.refreshed(owner);
    if (isLost) await t.api.post('/billing/sync').set(bearer).expect(200);
    await settle();
    expect((await billing.subscription(owner)).status).toBe('Active');
    expect(await moneyMails(owner)).toEqual([FAILED, RECOVERED]);
    expect(recovered.filter((tenantId) => tenantId === owner.tenantId)).toHaveLength(1);
  });

  it('stays past due after an invoice on which nothing was due, and no second failure is told', async () => {
    const { owner, id: subscriptionId, customer: customerId } = await pastDue();
    const subscriber = { tenantId: owner.tenantId, subscriptionId, customerId };
    const nothing = { amount_due: 0, amount_paid: 0, attempt_count: 0 };
    const signed = invoiceEvent('payment_succeeded', subscriber, t.processor.now(), nothing);
    const told = await billing.messagesFrom(owner, async () => {
      await billing.take(signed);
      expect((await billing.subscription(owner)).status).toBe('PastDue');
      await settle();
    });
    expect(told).toEqual(NOTHING);
    expect((await billing.subscription(owner)).status).toBe('PastDue');
    expect(recovered).not.toContain(owner.tenantId);
  });
});

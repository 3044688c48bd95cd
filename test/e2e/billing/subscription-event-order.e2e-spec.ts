import { newId } from '../../../src/platform/ids';
import { TestApp } from '../../support/app';
import { invoiceEvent, subscriptionDeleted, subscriptionUpdated } from '../../support/stripe-events';
import { FAILED, NOTHING, PLANNED, RECOVERED, SubscriptionHistory } from '../../support/subscription-history';

/** Rows of the table in the specification (States and transitions, Subscription status). */
describe('a subscription', () => {
  let t: TestApp;
  let billing: SubscriptionHistory;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new SubscriptionHistory(t);
  });
  afterAll(() => t.close());

  describe('with events out of order', () => {
    it('is not changed by an event older than the last, but by one of the same second', async () => {
      const { owner, subscriber } = await billing.inState('Active');
      const [early, late] = [billing.next(), billing.next()];
      await billing.take(subscriptionUpdated(subscriber, { price: 'price_business_monthly' }, late));
      expect(
        await billing.messagesFrom(owner, () => billing.take(invoiceEvent('payment_failed', subscriber, early))),
      ).toEqual(NOTHING);
      await billing.take(subscriptionDeleted(subscriber, early));
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business', status: 'Active' });
      await billing.take(subscriptionUpdated(subscriber, { price: 'price_pro_monthly' }, late));
      expect((await billing.subscription(owner)).plan).toBe('Pro');
    });

    it('is not changed by an event older than an event or a sync without changes, but by one as old', async () => {
      const { owner, subscriber } = await billing.inState('Active');
      const [early, late] = [billing.next(), billing.next()];
      await billing.take(subscriptionUpdated(subscriber, {}, billing.next()));
      const row = await billing.version(owner);
      await billing.take(subscriptionUpdated(subscriber, {}, billing.next())); // as it was: nothing is written
      expect(
        await billing.messagesFrom(owner, () => billing.take(invoiceEvent('payment_failed', subscriber, late))),
      ).toEqual(NOTHING);
      const overtaken = subscriptionDeleted(subscriber, early);
      await billing.take(overtaken);
      expect(await billing.stored(overtaken)).toMatchObject([
        { status: 'processed', tenantId: owner.tenantId, error: null },
      ]);
      expect(await billing.version(owner)).toEqual(row);
      const since = billing.next();
      await t.database.query(
        `INSERT INTO sync_runs (id, slot, started_at, since, finished_at) VALUES ($1, $2, $2, $2, $2)`,
        [newId(), since],
      );
      expect(
        await billing.messagesFrom(owner, () =>
          billing.take(invoiceEvent('payment_failed', subscriber, new Date((billing.second - 5) * 1000))),
        ),
      ).toEqual(NOTHING);
      expect(await billing.version(owner)).toEqual(row);
      expect(
        await billing.messagesFrom(owner, () => billing.take(invoiceEvent('payment_failed', subscriber, since))),
      ).toMatchObject({ mails: [FAILED] });
    });

    it('is not changed by the earlier of two changes of one second, recognized by its previous status', async () => {
      const { owner, subscriber } = await billing.inState('Active');
      const at = billing.next();
      const change = (from: string, to: string) => {
        const updated = subscriptionUpdated(subscriber, { status: to }, at);
        return { ...updated, data: { ...updated.data, previous_attributes: { status: from } } };
      };
      await billing.take(change('paused', 'active'));
      expect(await billing.messagesFrom(owner, () => billing.take(change('active', 'past_due')))).toEqual({
        mails: [FAILED],
        notes: ['SubscriptionPastDue'],
      });
      expect(await billing.messagesFrom(owner, () => billing.take(change('paused', 'active')))).toEqual(NOTHING);
      expect((await billing.subscription(owner)).status).toBe('PastDue');
      await billing.take(change('past_due', 'paused'));
      expect((await billing.subscription(owner)).status).toBe('Paused');
      expect(await billing.messagesFrom(owner, () => billing.take(change('paused', 'active')))).toEqual({
        mails: [RECOVERED],
        notes: ['PaymentRecovered'],
      });
    });

    it('is not changed by one that kept another status, until the next reading', async () => {
      const { owner, subscriber } = await billing.inState('Active');
      const at = billing.next();
      const change = (status: string, before: object, when = at) => {
        const updated = subscriptionUpdated(subscriber, { status }, when);
        return { ...updated, data: { ...updated.data, previous_attributes: before } };
      };
      const take = (...events: ReturnType<typeof change>[]) =>
        billing.messagesFrom(owner, () => billing.take(...events));
      expect(await take(change('past_due', { status: 'active' }), change('active', { quantity: 1 }))).toEqual({
        mails: [FAILED],
        notes: ['SubscriptionPastDue'],
      });
      expect((await billing.subscription(owner)).status).toBe('PastDue');
      expect(await take(change('active', { quantity: 2 }, billing.next()))).toMatchObject({ mails: [RECOVERED] });
    });

    it('takes every field of the second of two events of one second with the same status', async () => {
      const { owner, subscriber } = await billing.inState('PastDue');
      const at = billing.next();
      const updated = subscriptionUpdated(
        subscriber,
        { price: 'price_business_monthly', periodEnd: 1_955_000_000, rest: { cancel_at_period_end: true } },
        at,
      );
      await billing.take(invoiceEvent('payment_succeeded', subscriber, at), {
        ...updated,
        data: { ...updated.data, previous_attributes: { status: 'past_due', cancel_at_period_end: false } } as never,
      });
      expect(await billing.subscription(owner)).toMatchObject({
        status: 'Active',
        plan: 'Business',
        currentPeriodEnd: new Date(1_955_000_000_000).toISOString(),
        cancelAtPeriodEnd: true,
      });
    });

    it('notifies of a cancellation once, if the change before it in the same second comes last', async () => {
      const { owner, subscriber } = await billing.inState('Active');
      const at = billing.next();
      const change = (facts: object, before: object, when = at) => {
        const updated = subscriptionUpdated(subscriber, { rest: facts }, when);
        return { ...updated, data: { ...updated.data, previous_attributes: before } };
      };
      const ending = { cancel_at: 1_955_000_000 };
      const take = (...events: ReturnType<typeof change>[]) =>
        billing.messagesFrom(owner, () => billing.take(...events));
      expect(await take(change(ending, { cancel_at: null }), change({}, { schedule: 'sub_sched_1' }))).toMatchObject({
        mails: [PLANNED],
      });
      expect((await billing.subscription(owner)).cancelAtPeriodEnd).toBe(true);
      expect(await take(change(ending, { latest_invoice: 'in_0' }, billing.next()))).toEqual(NOTHING);
      const withdrawn = change({}, { cancel_at: 1_955_000_000 }, new Date(billing.second * 1000));
      expect(await take(withdrawn)).toEqual(NOTHING);
      expect((await billing.subscription(owner)).cancelAtPeriodEnd).toBe(false);
      const keptEnd = change(ending, { latest_invoice: 'in_1' }, new Date(billing.second * 1000));
      expect(await take(keptEnd)).toEqual(NOTHING);
      expect((await billing.subscription(owner)).cancelAtPeriodEnd).toBe(false);
      expect(await take(change(ending, { cancel_at: null }, billing.next()))).toMatchObject({ mails: [PLANNED] });
    });

    it('notifies of a failure after a pause, whichever event comes first', async () => {
      for (const isInvoiceFirst of [true, false]) {
        const { owner, subscriber } = await billing.inState('PastDue');
        await billing.take(subscriptionUpdated(subscriber, { status: 'past_due' }, billing.next()));
        const paused = () =>
          billing.take(
            subscriptionUpdated(subscriber, { rest: { pause_collection: { behavior: 'void' } } }, billing.next()),
          );
        // paid, then paused
        expect(await billing.messagesFrom(owner, paused)).toEqual({ mails: [RECOVERED], notes: ['PaymentRecovered'] });
        const at = billing.next();
        const events = [
          invoiceEvent('payment_failed', subscriber, at),
          subscriptionUpdated(subscriber, { status: 'past_due' }, at),
        ];
        const fail = () => billing.take(...(isInvoiceFirst ? events : events.reverse()));
        expect(await billing.messagesFrom(owner, fail)).toEqual({ mails: [FAILED], notes: ['SubscriptionPastDue'] });
      }
    });

    it('ignores other Stripe subscriptions while it is live; after its end it follows a live one only', async () => {
      const { owner, subscriber } = await billing.inState('Active');
      const other = { ...subscriber, subscriptionId: 'sub_another' };
      await billing.take(
        subscriptionUpdated(other, { price: 'price_business_monthly' }, billing.next()),
        subscriptionDeleted(other, billing.next()),
      );
      expect(await billing.subscription(owner)).toMatchObject({
        status: 'Active',
        plan: 'Pro',
        processorSubscriptionId: subscriber.subscriptionId,
      });
      await billing.take(
        subscriptionDeleted(subscriber, billing.next()),
        subscriptionUpdated(other, { status: 'canceled', created: 1_600_000_000 }, billing.next()),
      );
      expect((await billing.subscription(owner)).processorSubscriptionId).toBe(subscriber.subscriptionId);
      await billing.take(subscriptionUpdated(other, { created: 1_600_000_000 }, billing.next()));
      expect(await billing.subscription(owner)).toMatchObject({
        processorSubscriptionId: 'sub_another',
        status: 'Active',
      });
    });
  });
});

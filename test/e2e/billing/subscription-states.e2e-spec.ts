import { TestApp } from '../../support/app';
import { mailedDay } from '../../support/mailed-day';
import {
  checkoutCompleted,
  event,
  invoiceEvent,
  newSubscriber,
  subscriptionDeleted,
  subscriptionObject,
  subscriptionUpdated,
} from '../../support/stripe-events';
import { ENDED, FAILED, NOTHING, PLANNED, RECOVERED, SubscriptionHistory } from '../../support/subscription-history';

const DAY = 86_400;

/** Rows of the table in the specification (States and transitions, Subscription status). */
describe('a subscription', () => {
  let t: TestApp;
  let billing: SubscriptionHistory;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new SubscriptionHistory(t);
  });
  afterAll(() => t.close());

  describe('after a completed checkout', () => {
    it('is Trialing with plan, customer and subscription if a trial started, visible to the next request', async () => {
      const owner = await t.actors.owner();
      await t.api.get('/auth/me').set(owner.bearer).expect(200);
      const subscriber = newSubscriber(owner.tenantId);
      await billing.take(checkoutCompleted(subscriber, { trial: true, plan: 'Business' }, billing.next()));
      const view = await billing.subscription(owner);
      expect(view).toMatchObject({
        tenantId: owner.tenantId,
        plan: 'Business',
        status: 'Trialing',
        processorCustomerId: subscriber.customerId,
        processorSubscriptionId: subscriber.subscriptionId,
        trialEndsAt: new Date((billing.second + 14 * 86_400) * 1000).toISOString(),
        cancelAtPeriodEnd: false,
      });
      expect((await t.api.get('/auth/me').set(owner.bearer).expect(200)).body.data.subscription).toEqual(view);
    });

    it('is Active without a trial', async () => {
      const { owner } = await billing.subscribed({ trial: false });
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', status: 'Active', trialEndsAt: null });
    });

    it('has the trial of the subscription object if the event contains it', async () => {
      const owner = await t.actors.owner();
      const subscriber = newSubscriber(owner.tenantId);
      const subscription = subscriptionObject(subscriber, { status: 'trialing', rest: { trial_end: 1_900_000_000 } });
      await billing.take(checkoutCompleted(subscriber, { trial: false, rest: { subscription } }, billing.next()));
      expect(await billing.subscription(owner)).toMatchObject({
        status: 'Trialing',
        trialEndsAt: new Date(1_900_000_000_000).toISOString(),
      });
    });

    it('is unchanged if it is already known', async () => {
      const { owner, subscriber } = await billing.inState('PastDue');
      await billing.take(checkoutCompleted(subscriber, { trial: false }, billing.next()));
      expect((await billing.subscription(owner)).status).toBe('PastDue');
      expect(await t.database.query('SELECT FROM subscriptions WHERE tenant_id = $1', [owner.tenantId])).toHaveLength(
        1,
      );
    });

    it('is a new one after a canceled one', async () => {
      const { owner, subscriber } = await billing.inState('Canceled');
      const again = { ...subscriber, subscriptionId: newSubscriber(owner.tenantId).subscriptionId };
      await billing.take(checkoutCompleted(again, { trial: false, plan: 'Business' }, billing.next()));
      expect(await billing.subscription(owner)).toMatchObject({
        plan: 'Business',
        status: 'Active',
        processorSubscriptionId: again.subscriptionId,
        trialEndsAt: null,
      });
    });

    it('stays Free while the payment is processing, and if the checkout was for something else', async () => {
      const owner = await t.actors.owner();
      const subscriber = newSubscriber(owner.tenantId);
      await billing.take(
        checkoutCompleted(subscriber, { trial: false, rest: { payment_status: 'unpaid' } }, billing.next()),
        checkoutCompleted(subscriber, { rest: { mode: 'payment', subscription: null } }, billing.next()),
      );
      expect(await billing.subscription(owner)).toMatchObject({
        plan: 'Free',
        status: 'Active',
        processorSubscriptionId: null,
      });
    });
  });

  describe('after an update', () => {
    it('has the new plan, status, period and scheduled end; an update without a change writes nothing', async () => {
      const { owner, subscriber } = await billing.inState('Active');
      const facts = {
        price: 'price_business_monthly',
        status: 'past_due',
        periodEnd: 1_888_888_888,
        rest: { cancel_at_period_end: true },
      };
      await billing.take(subscriptionUpdated(subscriber, facts, billing.next()));
      const view = await billing.subscription(owner);
      expect(view).toMatchObject({
        plan: 'Business',
        status: 'PastDue',
        currentPeriodEnd: new Date(1_888_888_888_000).toISOString(),
        cancelAtPeriodEnd: true,
      });
      const row = await billing.version(owner);
      await billing.take(subscriptionUpdated(subscriber, facts, billing.next()));
      expect(await billing.subscription(owner)).toEqual(view); // updatedAt too
      expect(await billing.version(owner)).toEqual(row);
      await billing.take(subscriptionUpdated(subscriber, { ...facts, status: 'active' }, billing.next()));
      expect(await billing.version(owner)).not.toEqual(row);
    });

    it.each([
      ['trialing', null, 'Trialing'],
      ['active', null, 'Active'],
      ['active', { behavior: 'void', resumes_at: null }, 'Paused'],
      ['trialing', { behavior: 'void', resumes_at: null }, 'Trialing'],
      ['past_due', null, 'PastDue'],
      ['past_due', { behavior: 'void', resumes_at: null }, 'PastDue'],
      ['unpaid', null, 'PastDue'],
      ['incomplete', null, 'PastDue'],
      ['paused', null, 'Paused'],
      ['canceled', null, 'Canceled'],
      ['incomplete_expired', null, 'Canceled'],
    ])('with the Stripe status %s and pause %j is %s', async (status, pause, expected) => {
      const { owner, subscriber } = await billing.inState(expected === 'Active' ? 'Paused' : 'Active');
      await billing.take(
        subscriptionUpdated(subscriber, { status, rest: { pause_collection: pause } }, billing.next()),
      );
      expect((await billing.subscription(owner)).status).toBe(expected);
    });

    it.each(['constructor', 'on_hold', '__proto__'])(
      'is unchanged by the unknown Stripe status %s, with a remark for operators',
      async (status) => {
        const { owner, subscriber } = await billing.inState('Active');
        const before = await billing.subscription(owner);
        const updated = subscriptionUpdated(subscriber, { status, price: 'price_business_monthly' }, billing.next());
        await billing.take(updated);
        expect(await billing.subscription(owner)).toEqual(before);
        expect(await billing.stored(updated)).toMatchObject([
          { status: 'processed', error: expect.stringContaining('status of the subscription is unknown') },
        ]);
      },
    );

    it('keeps plan and dates and takes the status if the price is unknown', async () => {
      const { owner, subscriber } = await billing.inState('Active');
      const { currentPeriodEnd } = await billing.subscription(owner);
      const updated = subscriptionUpdated(
        subscriber,
        { price: 'price_of_somebody_else', status: 'past_due' },
        billing.next(),
      );
      await billing.take(updated);
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', currentPeriodEnd, status: 'PastDue' });
      expect(await billing.stored(updated)).toMatchObject([
        { status: 'processed', error: expect.stringContaining('price') },
      ]);
    });

    it.each([
      ['at the end of the period', { cancel_at_period_end: true }],
      ['at a given time, as with flexible billing', { cancel_at: 1_900_000_000 }],
    ])('notifies the Owner once per cancellation %s', async (_when, rest) => {
      const { owner, subscriber } = await billing.inState('Active');
      const decide = (ending: object) =>
        billing.take(subscriptionUpdated(subscriber, { rest: ending }, billing.next()));
      expect(await billing.messagesFrom(owner, () => decide(rest))).toEqual({
        mails: [PLANNED],
        notes: ['SubscriptionCanceled'],
      });
      expect(await billing.subscription(owner)).toMatchObject({ cancelAtPeriodEnd: true, status: 'Active' });
      expect(await billing.messagesFrom(owner, () => decide(rest))).toEqual(NOTHING);
      expect(await billing.messagesFrom(owner, () => decide({}))).toEqual(NOTHING);
      expect(await billing.messagesFrom(owner, () => decide(rest))).toEqual({
        mails: [PLANNED],
        notes: ['SubscriptionCanceled'],
      });
    });

    it('notifies the Owner of the date on which it will end, and of the date on which it ended', async () => {
      const { owner, subscriber } = await billing.inState('Active');
      const endsAt = billing.second + 40 * DAY;
      const facts = { periodEnd: billing.second + 20 * DAY, rest: { cancel_at: endsAt } };
      await billing.take(subscriptionUpdated(subscriber, facts, billing.next()));
      const ended = { ...subscriptionObject(subscriber, facts), status: 'canceled', ended_at: endsAt + 7 };
      await billing.take(event('customer.subscription.deleted', ended, billing.next()));
      const moment = (at: number) => new Date(at * 1000).toISOString();
      expect(await billing.dataOf(owner)).toEqual([
        { plan: 'Pro', endsAt: moment(endsAt), hasEnded: false },
        { plan: 'Pro', endsAt: moment(endsAt + 7), hasEnded: true },
      ]);
      expect((await billing.mails(owner)).sort()).toEqual([ENDED, PLANNED]);
      const { text } = t.mailbox.to(owner.user.email).find(({ subject }) => subject === PLANNED)!;
      expect(text).toContain(mailedDay(new Date(endsAt * 1000)));
    });

    it('that was never paid and expires notifies nobody', async () => {
      const { owner, subscriber } = await billing.inState('Active');
      const expire = () =>
        billing.take(
          subscriptionUpdated(subscriber, { status: 'incomplete' }, billing.next()),
          subscriptionUpdated(subscriber, { status: 'incomplete_expired' }, billing.next()),
        );
      expect(await billing.messagesFrom(owner, expire)).toEqual(NOTHING);
      expect(await billing.subscription(owner)).toMatchObject({ status: 'Canceled' });
    });

    it('notifies of a failed payment from the update alone, in whichever order the two events arrive', async () => {
      const { owner, subscriber } = await billing.inState('Active');
      const at = billing.next();
      const updated = () => billing.take(subscriptionUpdated(subscriber, { status: 'past_due' }, at));
      expect(await billing.messagesFrom(owner, updated)).toEqual({ mails: [FAILED], notes: ['SubscriptionPastDue'] });
      expect(
        await billing.messagesFrom(owner, () => billing.take(invoiceEvent('payment_failed', subscriber, at))),
      ).toEqual(NOTHING);
      const recovered = () => billing.take(subscriptionUpdated(subscriber, { status: 'active' }, billing.next()));
      expect(await billing.messagesFrom(owner, recovered)).toEqual({ mails: [RECOVERED], notes: ['PaymentRecovered'] });
      expect(
        await billing.messagesFrom(owner, () =>
          billing.take(invoiceEvent('payment_succeeded', subscriber, billing.next())),
        ),
      ).toEqual(NOTHING);
    });
  });

  describe('after a deletion', () => {
    it.each(['Active', 'Trialing', 'PastDue', 'Paused'] as const)(
      'that was %s is Canceled, and the Owner gets one email and one notification',
      async (state) => {
        const { owner, subscriber } = await billing.inState(state);
        const end = () =>
          billing.take(
            subscriptionDeleted(subscriber, billing.next()),
            subscriptionUpdated(subscriber, { status: 'canceled' }, billing.next()),
          );
        expect(await billing.messagesFrom(owner, end)).toEqual({ mails: [ENDED], notes: ['SubscriptionCanceled'] });
        expect(await billing.subscription(owner)).toMatchObject({ status: 'Canceled', plan: 'Pro' });
      },
    );

    it('is unchanged by a second deletion', async () => {
      const { owner, subscriber } = await billing.inState('Canceled');
      const before = await billing.subscription(owner);
      expect(
        await billing.messagesFrom(owner, () => billing.take(subscriptionDeleted(subscriber, billing.next()))),
      ).toEqual(NOTHING);
      expect(await billing.subscription(owner)).toEqual(before);
    });

    it('is not revived by later events about the same Stripe subscription', async () => {
      const { owner, subscriber } = await billing.inState('Canceled');
      await billing.take(
        subscriptionUpdated(subscriber, { status: 'active' }, billing.next()),
        checkoutCompleted(subscriber, { trial: false }, billing.next()),
        invoiceEvent('payment_failed', subscriber, billing.next()),
        invoiceEvent('payment_succeeded', subscriber, billing.next()),
      );
      expect((await billing.subscription(owner)).status).toBe('Canceled');
    });
  });
});

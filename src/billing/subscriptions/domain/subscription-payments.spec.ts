import { DAY } from '../../../platform/clock';
import {
  at,
  checkout,
  fact,
  free,
  kindsOf,
  payment,
  snapshot,
  subscribed,
} from '../../../../test/support/subscription-facts';
import type { Outcome } from './fact-precedence';
import type { CheckoutFact, PaymentFact } from './stripe-fact';
import type { Subscription } from './subscription';
import type { SubscriptionSnapshot } from './subscription-snapshot';

describe('a completed checkout', () => {
  it.each<[string, () => Subscription, Partial<CheckoutFact>, Outcome, object]>([
    ['starts the plan', free, {}, 'applied', { plan: 'Pro', status: 'Active', hadTrial: false }],
    [
      'starts a trial of 14 days',
      free,
      { isTrialing: true },
      'applied',
      { status: 'Trialing', trialEndsAt: at(11 + 14 * DAY), hadTrial: false },
    ],
    ['whose payment is processing grants nothing', free, { isPaid: false }, 'stale', { plan: 'Free' }],
    ['of a known subscription adds nothing', subscribed, { plan: 'Business' }, 'stale', { plan: 'Pro' }],
    [
      'of a subscription without its first payment starts the plan',
      () => subscribed({ status: 'incomplete' }),
      {},
      'applied',
      { status: 'Active' },
    ],
    [
      'for another subscription is ignored while the bound one is live',
      subscribed,
      { subscriptionId: 'sub_2' },
      'other',
      { processorSubscriptionId: 'sub_1' },
    ],
  ])('%s', (_rule, given, values, outcome, expected) => {
    const subscription = given();
    expect(subscription.apply(checkout(values), at(11))).toBe(outcome);
    expect(subscription).toMatchObject(expected);
  });
});

describe('a payment', () => {
  it('that failed makes the subscription past due and notifies the Owner once', () => {
    const subscription = subscribed();
    for (const second of [11, 12]) subscription.apply(payment('payment-failed'), at(second));
    expect(subscription).toMatchObject({ status: 'PastDue', processorStatus: 'active', openInvoiceId: 'in_1' });
    expect(kindsOf(subscription.pullNotices())).toEqual(['SubscriptionPastDue']);
  });

  it('of the open invoice ends PastDue, and one of an older invoice does not', () => {
    const subscription = subscribed();
    subscription.apply(payment('payment-failed', 'in_2', at(20)), at(21));
    expect(subscription.apply(payment('payment-succeeded', 'in_1', at(10)), at(22))).toBe('stale');
    expect(subscription.apply(payment('payment-succeeded', 'in_2', at(20)), at(23))).toBe('applied');
    expect(subscription).toMatchObject({ status: 'Active', openInvoiceId: null });
    expect(kindsOf(subscription.pullNotices())).toEqual(['SubscriptionPastDue', 'PaymentRecovered']);
  });

  it('of an invoice on which nothing was due does not end PastDue', () => {
    const subscription = subscribed();
    subscription.apply(payment('payment-failed', 'in_1'), at(11));
    const credit = payment('payment-succeeded', 'in_2', at(12), 'sub_1', { isPaid: false });
    expect(subscription.apply(credit, at(13))).toBe('stale');
    expect(subscription.status).toBe('PastDue');
    expect(kindsOf(subscription.pullNotices())).toEqual(['SubscriptionPastDue']);
  });

  describe('that failed, before Stripe serves the subscription after another invoice,', () => {
    /** Stripe has it as active, and the newest invoice is another one than the one that failed. */
    const served = () => {
      const subscription = subscribed();
      subscription.apply(payment('payment-failed', 'in_1'), at(11));
      subscription.apply(fact({ status: 'past_due', latestInvoiceId: 'in_1' }), at(12));
      subscription.apply(fact({ latestInvoiceId: 'in_2' }, { previousStatus: 'past_due' }), at(13));
      expect(subscription).toMatchObject({ status: 'Active', awaitsPayment: true });
      expect(kindsOf(subscription.pullNotices())).toEqual(['SubscriptionPastDue']);
      return subscription;
    };
    const read = (subscription: Subscription, values: Partial<SubscriptionSnapshot>) =>
      subscription.applyReading([snapshot({ latestInvoiceId: 'in_2', ...values })], at(14));
    const pay = (subscription: Subscription, id: string, rest: Partial<PaymentFact>) =>
      subscription.apply(payment('payment-succeeded', id, at(13), 'sub_1', rest), at(14));

    it.each<[string, (subscription: Subscription) => unknown, string[]]>([
      ['a credit', (one) => pay(one, 'in_2', { isPaid: false }), []],
      ['the payment of the other invoice', (one) => pay(one, 'in_2', {}), ['PaymentRecovered']],
      ['the payment of the one that failed', (one) => pay(one, 'in_1', { isRetry: true }), ['PaymentRecovered']],
      ['the first payment of a third one', (one) => pay(one, 'in_3', {}), []],
      ['a reading with nothing paid', (one) => read(one, { isLatestInvoicePaid: false }), []],
      ['a reading with a payment', (one) => read(one, { isLatestInvoicePaid: true }), ['PaymentRecovered']],
      [
        'the next failure',
        (one) => one.apply(fact({ status: 'past_due', latestInvoiceId: 'in_4' }), at(20)),
        ['SubscriptionPastDue'],
      ],
    ])('is followed by %s', (_what, happen, notices) => {
      const subscription = served();
      happen(subscription);
      happen(subscription);
      expect(kindsOf(subscription.pullNotices())).toEqual(notices);
      expect(subscription.awaitsPayment).toBe(notices.length === 0);
    });
  });

  it('that failed is recovered by a reading of the paid invoice, and not by one of a voided one', () => {
    for (const [isLatestInvoicePaid, notices] of [
      [true, ['PaymentRecovered']],
      [false, []],
    ] as const) {
      const subscription = subscribed({ status: 'past_due', latestInvoiceId: 'in_1' });
      subscription.applyReading([snapshot({ latestInvoiceId: 'in_1', isLatestInvoicePaid })], at(20));
      expect(subscription.status).toBe('Active');
      expect(kindsOf(subscription.pullNotices())).toEqual(notices);
    }
  });

  it('that failed without effect at Stripe is no recovery when a snapshot says so, and fails again', () => {
    const subscription = subscribed();
    for (const second of [11, 13]) {
      subscription.apply(payment('payment-failed'), at(second));
      subscription.apply(fact(), at(second + 1));
      expect(subscription).toMatchObject({ status: 'Active', openInvoiceId: null });
    }
    expect(kindsOf(subscription.pullNotices())).toEqual(['SubscriptionPastDue', 'SubscriptionPastDue']);
  });

  it.each<[string, (subscription: Subscription) => void]>([
    ['the payment', (one) => one.apply(payment('payment-succeeded'), at(20))],
    [
      'a snapshot after one that was past due',
      (one) => [fact({ status: 'past_due' }), fact()].forEach((state, i) => one.apply(state, at(12 + i))),
    ],
    ['a snapshot that was past due before', (one) => one.apply(fact({}, { previousStatus: 'past_due' }), at(20))],
  ])('that failed is recovered by %s', (_what, recover) => {
    const subscription = subscribed();
    subscription.apply(payment('payment-failed'), at(11));
    recover(subscription);
    expect(subscription).toMatchObject({ status: 'Active', processorStatus: 'active' });
    expect(kindsOf(subscription.pullNotices())).toEqual(['SubscriptionPastDue', 'PaymentRecovered']);
  });

  it('that failed is not undone by an earlier change of its second, but followed by the later one', () => {
    const subscription = subscribed({ status: 'trialing' });
    subscription.apply(payment('payment-failed'), at(11));
    expect(subscription.apply(fact({}, { previousStatus: 'trialing' }), at(11))).toBe('stale');
    expect(subscription.apply(fact({ status: 'past_due' }, { previousStatus: 'active' }), at(11))).toBe('applied');
    expect(subscription).toMatchObject({ status: 'PastDue', processorStatus: 'past_due' });
    expect(kindsOf(subscription.pullNotices())).toEqual(['SubscriptionPastDue']);
  });

  it('for a subscription that is not bound is ignored', () => {
    const subscription = subscribed();
    expect(subscription.apply(payment('payment-failed', 'in_1', at(10), 'sub_2'), at(11))).toBe('other');
    expect(subscription.isChanged).toBe(false);
  });
});

describe('A payment that succeeded', () => {
  it.each<[string, Partial<SubscriptionSnapshot>, Outcome, string]>([
    ['leaves an Active subscription as it is', {}, 'applied', 'Active'],
    ['does not end a pause', { status: 'paused' }, 'applied', 'Paused'],
    ['does not revive an ended subscription', { status: 'canceled' }, 'other', 'Canceled'],
    ['ends PastDue', { status: 'past_due' }, 'applied', 'Active'],
  ])('%s', (_rule, values, outcome, status) => {
    const subscription = subscribed(values);
    expect(subscription.apply(payment('payment-succeeded'), at(11))).toBe(outcome);
    expect(subscription.status).toBe(status);
  });

  it('before the last applied change is stale', () => {
    const subscription = subscribed({ status: 'past_due' });
    expect(subscription.apply(payment('payment-succeeded'), at(9))).toBe('stale');
    expect(subscription.status).toBe('PastDue');
  });
});

import { DAY } from '../../../platform/clock';
import { at, checkout, fact, free, kindsOf, payment, subscribed } from '../../../../test/support/subscription-facts';
import type { Outcome } from './fact-precedence';
import type { CheckoutFact } from './stripe-fact';
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

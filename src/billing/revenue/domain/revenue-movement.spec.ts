import { fact, free, snapshot, subscribed, at } from '../../../../test/support/subscription-facts';
import type { Subscription } from '../../subscriptions/domain/subscription';
import type { SubscriptionSnapshot } from '../../subscriptions/domain/subscription-snapshot';
import { movementOf } from './revenue-movement';

const movement = (subscription: Subscription, amount: number | null = 2900) =>
  movementOf(subscription.loaded, subscription, () => amount);
/** The movement of a subscription from one state at Stripe to another. */
function change(from: Partial<SubscriptionSnapshot> | null, to: Partial<SubscriptionSnapshot>) {
  const subscription = from ? subscribed(from) : free();
  subscription.apply(fact(to), at(20));
  return movement(subscription);
}
const none = { trialsStarted: 0, conversions: 0, churned: 0, churnedUnpriced: 0, churnedMrr: 0 };
const pro = { plan: 'Pro', currency: 'usd', ...none };

const churned = { ...pro, churned: 1, churnedMrr: 2900 };
const canceled = { status: 'canceled' };

describe('A change of a subscription', () => {
  it.each<[string, ReturnType<typeof change>, object | undefined]>([
    ['starts a trial', change(null, { status: 'trialing' }), { ...pro, trialsStarted: 1 }],
    ['starts a paid subscription, which is no movement', change(null, {}), undefined],
    ['converts a trial', change({ status: 'trialing' }, {}), { ...pro, conversions: 1 }],
    ['converts an unpaid trial', change({ status: 'trialing' }, { status: 'past_due' }), { ...pro, conversions: 1 }],
    ['ends a trial, which is no churn', change({ status: 'trialing' }, canceled), undefined],
    ['ends a paid one', change({}, canceled), churned],
    ['ends one that is past due', change({ status: 'past_due' }, canceled), churned],
    ['pauses a paid one', change({}, { isCollectionPaused: true }), churned],
    ['misses a payment', change({}, { status: 'past_due' }), undefined],
    ['changes the plan', change({}, { plan: 'Business' }), undefined],
    ['was never paid and ends', change({ status: 'incomplete' }, { status: 'incomplete_expired' }), undefined],
    ['resumes a paused one', change({ isCollectionPaused: true }, {}), undefined],
    ['churns in a currency of others', change({ currency: 'gbp' }, canceled), { ...churned, currency: null }],
  ])('%s', (_what, found, expected) => expect(found).toEqual(expected));

  it('churns without a known amount', () => {
    const subscription = subscribed();
    subscription.apply(fact({ status: 'canceled' }), at(20));
    expect(movement(subscription, null)).toEqual({ ...pro, churned: 1, churnedUnpriced: 1 });
  });

  it('by an operator counts, and replacing a subscription by another one does not', () => {
    const overridden = subscribed();
    overridden.override('Canceled', undefined);
    expect(movement(overridden)).toMatchObject({ churned: 1 });
    const gift = free();
    gift.override('Active', 'Business');
    gift.trackChanges().override('Canceled', undefined);
    expect(movement(gift)).toBeUndefined();
    const replaced = subscribed();
    const [ended, next] = [snapshot({ status: 'canceled' }), snapshot({ subscriptionId: 'sub_2', createdAt: at(15) })];
    replaced.applyReading([ended, next], at(20));
    expect(replaced.processorSubscriptionId).toBe('sub_2');
    expect(movement(replaced)).toBeUndefined();
  });
});

import { at, checkout, fact, free, snapshot } from '../../../../test/support/subscription-facts';

describe('the terms of a subscription', () => {
  const pending = { plan: 'Business', interval: 'year', at: at(2000) } as const;
  const discount = { text: '20%', percent: 20, amount: null };
  const terms = { interval: 'year', currency: 'eur', seats: 12, discount, pending } as const;
  const subscribed = () => {
    const subscription = free();
    subscription.applyReading([snapshot(terms)], at(10));
    return subscription.trackChanges();
  };

  it('follow Stripe', () =>
    expect(subscribed()).toMatchObject({
      interval: 'year',
      currency: 'eur',
      seats: 12,
      discount: '20%',
      discountPercent: 20,
      discountAmount: null,
      pendingPlan: 'Business',
      pendingInterval: 'year',
      pendingAt: at(2000),
    }));

  it('are not written again if they are identical', () => {
    const subscription = subscribed();
    subscription.apply(fact(terms), at(20));
    expect(subscription.isChanged).toBe(false);
    subscription.apply(fact({ ...terms, seats: 13 }), at(30));
    expect(subscription.isVisiblyChanged).toBe(true);
  });

  it('keep discount and planned change after an event with their ids, and lose them after one without', () => {
    const subscription = subscribed();
    subscription.apply(fact({ ...terms, discount: undefined, pending: undefined }), at(20));
    expect(subscription.isChanged).toBe(false);
    subscription.apply(fact({ ...terms, discount: null, pending: null }), at(30));
    expect(subscription).toMatchObject({ discount: null, discountPercent: null, pendingPlan: null, pendingAt: null });
  });

  it('stay without a plan of their own: an unknown price changes none of them', () => {
    const subscription = subscribed();
    subscription.apply(fact({ ...terms, plan: null, seats: 99, interval: 'month' }), at(20));
    expect(subscription).toMatchObject({ plan: 'Pro', seats: 12, interval: 'year' });
  });

  it('bill no known seats after a change to an unknown price, which keeps the plan', () => {
    const subscription = subscribed();
    expect(subscription.billsSeats).toBe(true);
    subscription.apply(fact({ ...terms, plan: null, priceId: 'price_negotiated', seats: 99 }), at(20));
    expect(subscription).toMatchObject({ plan: 'Pro', priceId: 'price_negotiated', seats: null, billsSeats: false });
    subscription.apply(fact({ ...terms, seats: 99 }), at(30));
    expect(subscription).toMatchObject({ plan: 'Pro', seats: 99, billsSeats: true });
  });

  it('have the currency of the checkout until the first snapshot', () => {
    const subscription = free();
    subscription.apply(checkout({ currency: 'eur', isTrialing: true }), at(10));
    expect(subscription).toMatchObject({ status: 'Trialing', currency: 'eur', priceId: null });
  });

  it('plan nothing more once the subscription has ended, and start over with another one', () => {
    const subscription = subscribed();
    subscription.apply(fact({ ...terms, status: 'canceled', pending: undefined }), at(20));
    expect(subscription.pendingAt).toBeNull();
    const next = { subscriptionId: 'sub_2', createdAt: at(25), discount: undefined, pending: undefined };
    subscription.apply(fact(next), at(30));
    expect(subscription).toMatchObject({ discount: null, interval: 'month', seats: null });
  });
});

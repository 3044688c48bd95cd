import { DAY } from '../../../platform/clock';
import { at, fact, free, kindsOf, snapshot, subscribed } from '../../../../test/support/subscription-facts';
import type { Outcome } from './fact-precedence';
import type { Subscription } from './subscription';
import type { SubscriptionSnapshot } from './subscription-snapshot';

describe('a snapshot', () => {
  it.each<[string, () => Subscription, Partial<SubscriptionSnapshot>, number, Outcome]>([
    ['of a newer time is applied', subscribed, { plan: 'Business' }, 11, 'applied'],
    ['of the same second is applied', subscribed, { plan: 'Business' }, 10, 'applied'],
    ['of an older time is stale', subscribed, { plan: 'Business' }, 9, 'stale'],
    [
      'of another subscription is ignored while the bound one is live',
      subscribed,
      { subscriptionId: 'sub_2' },
      11,
      'other',
    ],
    [
      'of another subscription is applied after the end',
      () => subscribed({ status: 'canceled' }),
      { subscriptionId: 'sub_2' },
      11,
      'applied',
    ],
    ['of an ended subscription does not revive it', () => subscribed({ status: 'canceled' }), {}, 11, 'other'],
    [
      'of an older ended subscription is ignored after the end',
      () => subscribed({ status: 'canceled' }),
      { subscriptionId: 'sub_0', status: 'canceled', createdAt: at(0) },
      11,
      'other',
    ],
    ['with an unknown status changes nothing', subscribed, { status: 'on_hold', plan: 'Business' }, 11, 'unknown'],
  ])('%s', (_rule, given, values, second, outcome) => {
    const subscription = given();
    expect(subscription.apply(fact(values), at(second))).toBe(outcome);
    expect(subscription.isChanged).toBe(outcome === 'applied');
  });

  it('of the earlier of two changes within a second, delivered last, is stale', () => {
    const subscription = subscribed({ status: 'past_due' });
    expect(subscription.apply(fact({ status: 'active' }, { previousStatus: 'trialing' }), at(10))).toBe('stale');
    expect(subscription.apply(fact({ status: 'active' }, { previousStatus: 'active' }), at(10))).toBe('stale');
    expect(subscription.apply(fact({ status: 'active' }, { previousStatus: 'past_due' }), at(10))).toBe('applied');
  });

  it('of a change before the cancellation within a second, delivered last, does not withdraw it', () => {
    const canceled = () => subscribed({ isEnding: true, endsAt: at(1000) });
    expect(canceled().apply(fact({}, { keepsEnd: true }), at(10))).toBe('stale');
    expect(canceled().apply(fact({}, { keepsEnd: false }), at(10))).toBe('applied');
    expect(canceled().apply(fact({}, { keepsEnd: true }), at(11))).toBe('applied');
    expect(canceled().apply(fact({ status: 'canceled' }, { keepsEnd: true }), at(10))).toBe('applied');
  });

  it('of a change before the withdrawal of a cancellation within a second does not plan it again', () => {
    const ending = { isEnding: true, endsAt: at(1000) };
    expect(subscribed().apply(fact(ending, { keepsEnd: true }), at(10))).toBe('stale');
    expect(subscribed().apply(fact(ending, { keepsEnd: false }), at(10))).toBe('applied');
    expect(subscribed().apply(fact(ending, { keepsEnd: true }), at(11))).toBe('applied');
  });

  it('with an unknown price keeps the plan of a bound subscription, and gives none to a new one', () => {
    const subscription = subscribed();
    subscription.apply(fact({ plan: null, currentPeriodEnd: at(2000) }), at(11));
    expect(subscription).toMatchObject({ plan: 'Pro', currentPeriodEnd: at(1000) });
    const another = free();
    another.apply(fact({ plan: null }), at(11));
    expect(another.plan).toBe('Free');
  });

  it.each<[string, Partial<SubscriptionSnapshot>, Partial<SubscriptionSnapshot>, string[]]>([
    ['nothing of a renewal', {}, { currentPeriodEnd: at(2000) }, []],
    ['a failed payment', {}, { status: 'past_due' }, ['SubscriptionPastDue']],
    ['a failed payment once', { status: 'past_due' }, { status: 'unpaid' }, []],
    ['nothing of a first payment that is missing', {}, { status: 'incomplete' }, []],
    ['a recovered payment', { status: 'past_due' }, { status: 'active' }, ['PaymentRecovered']],
    ['a scheduled cancellation', {}, { isEnding: true, endsAt: at(500) }, ['SubscriptionCanceled']],
    ['a scheduled cancellation once', { isEnding: true }, { isEnding: true }, []],
    ['the end', {}, { status: 'canceled' }, ['ended']],
    ['nothing of the end of what was never paid', { status: 'incomplete' }, { status: 'incomplete_expired' }, []],
    ['nothing of a pause', {}, { isCollectionPaused: true }, []],
  ])('notifies the Owner of %s', (_what, before, after, notices) => {
    const subscription = subscribed(before);
    subscription.apply(fact(after), at(11));
    expect(kindsOf(subscription.pullNotices())).toEqual(notices);
    expect(subscription.pullNotices()).toEqual([]);
  });

  it('that announces the end of a trial reminds the Owner once, and not after a cancellation', () => {
    const trial = { status: 'trialing', trialEndsAt: at(3 * DAY) };
    const subscription = subscribed(trial);
    for (const second of [11, 12]) subscription.apply(fact(trial, { isTrialEnding: true }), at(second));
    expect(subscription.pullNotices()).toEqual([{ kind: 'TrialEnding', endsAt: at(3 * DAY) }]);
    const canceled = subscribed({ ...trial, isEnding: true });
    canceled.apply(fact({ ...trial, isEnding: true }, { isTrialEnding: true }), at(11));
    expect(canceled.pullNotices()).toEqual([]);
  });
});

describe('a snapshot read from Stripe', () => {
  it('of the second of the last event is applied, and of an earlier one is stale', () => {
    const subscription = subscribed();
    expect(subscription.applyReading([snapshot({ plan: 'Business' })], at(9))).toBe('stale');
    expect(subscription.applyReading([snapshot({ plan: 'Business' })], at(10))).toBe('applied');
    expect(subscription.plan).toBe('Business');
  });

  it.each([
    [9, true],
    [10, false],
    [11, false],
  ])('that is complete until second %d may be older than an event of second 10: %s', (second, mayBeNewer) => {
    expect(subscribed().mayBeNewerThan(at(second))).toBe(mayBeNewer);
    expect(free().mayBeNewerThan(at(second))).toBe(false);
  });

  it('wins over an event of its second, unless that is an end', () => {
    const subscription = subscribed();
    subscription.applyReading([snapshot()], at(11));
    expect(subscription.apply(fact({ plan: 'Business' }), at(11))).toBe('stale');
    expect(subscription.apply(fact({ status: 'canceled' }), at(11))).toBe('applied');
  });

  it('replaces an ended subscription by a live one, without notifying the Owner of an end', () => {
    const subscription = subscribed();
    const next = snapshot({ subscriptionId: 'sub_2', plan: 'Business', createdAt: at(5) });
    expect(subscription.applyReading([snapshot({ status: 'canceled' }), next], at(11))).toBe('applied');
    expect(subscription).toMatchObject({ processorSubscriptionId: 'sub_2', plan: 'Business', isRebound: true });
    expect(subscription.pullNotices()).toEqual([]);
  });

  it('without subscriptions changes nothing', () => {
    const subscription = subscribed();
    expect(subscription.applyReading([], at(11))).toBeUndefined();
    expect(subscription.isChanged).toBe(false);
  });
});

describe('a subscription', () => {
  it.each<[string, Partial<SubscriptionSnapshot>, string]>([
    ['Active', { status: 'active' }, 'Pro'],
    ['PastDue', { status: 'past_due' }, 'Pro'],
    ['PastDue without a first payment', { status: 'incomplete' }, 'Free'],
    ['Paused', { status: 'paused' }, 'Free'],
    ['Canceled', { status: 'canceled' }, 'Free'],
  ])('that is %s gives the right plan', (_status, values, plan) => expect(subscribed(values).planInForce).toBe(plan));

  it('returns to its loaded state when its changes are discarded', () => {
    const subscription = subscribed();
    subscription.apply(fact({ status: 'past_due', plan: 'Business' }), at(11));
    subscription.discardChanges();
    expect(subscription).toMatchObject({ status: 'Active', plan: 'Pro', asOf: at(10), isChanged: false });
    expect(subscription.pullNotices()).toEqual([]);
  });

  it('is not changed by a later time alone, and is stored without its bookkeeping', () => {
    const subscription = subscribed();
    expect(subscription.apply(fact(), at(11))).toBe('applied');
    expect(subscription.isChanged).toBe(false);
    const stored = JSON.parse(JSON.stringify(subscription)) as object;
    expect(Object.keys(stored)).toEqual(Object.keys(free()));
    expect(stored).not.toHaveProperty('loaded');
  });

  it('that Stripe does not know counts as ended after an operator has canceled it', () => {
    const subscription = subscribed();
    expect(subscription.markMissing('sub_1')).toBe(false);
    subscription.override('Canceled', undefined);
    expect(subscription.isLive).toBe(true);
    expect(subscription.markMissing('sub_1')).toBe(true);
    expect(subscription.isLive).toBe(false);
  });

  it('has a later updatedAt after every visible change, whatever the clock says', () => {
    const subscription = subscribed();
    subscription.touch(at(100));
    subscription.touch(at(50));
    expect(subscription.updatedAt).toEqual(new Date(100_001));
  });
});

describe('A change of status', () => {
  it.each<[string, Partial<SubscriptionSnapshot>, Partial<SubscriptionSnapshot>, object]>([
    [
      'to Trialing keeps the end of the trial',
      {},
      { status: 'trialing', trialEndsAt: at(50) },
      { status: 'Trialing', trialEndsAt: at(50), hadTrial: true },
    ],
    [
      'to Paused is made by a pause of the collection',
      {},
      { isCollectionPaused: true },
      { status: 'Paused', processorStatus: 'active' },
    ],
    [
      'from Paused is made by the end of the pause',
      { isCollectionPaused: true },
      {},
      { status: 'Active', processorStatus: 'active' },
    ],
    [
      'to Canceled drops the planned cancellation',
      { isEnding: true },
      { status: 'canceled', isEnding: true },
      { status: 'Canceled', cancelAtPeriodEnd: false },
    ],
    [
      'to PastDue remembers the unpaid invoice',
      {},
      { status: 'past_due', latestInvoiceId: 'in_7' },
      { status: 'PastDue', openInvoiceId: 'in_7', openInvoiceAt: null },
    ],
    [
      'to Active forgets the unpaid invoice',
      { status: 'past_due', latestInvoiceId: 'in_7' },
      { latestInvoiceId: 'in_7' },
      { status: 'Active', openInvoiceId: null },
    ],
    [
      'that withdraws the cancellation continues the subscription',
      { isEnding: true },
      {},
      { cancelAtPeriodEnd: false },
    ],
    [
      'after the trial keeps that there was one',
      { status: 'trialing', trialEndsAt: at(50) },
      {},
      { status: 'Active', hadTrial: true },
    ],
  ])('%s', (_rule, before, after, expected) => {
    const subscription = subscribed(before);
    expect(subscription.apply(fact(after), at(11))).toBe('applied');
    expect(subscription).toMatchObject(expected);
  });

  it.each<[string, Partial<SubscriptionSnapshot>, Date]>([
    ['at the time at which Stripe ended it', { endedAt: at(8) }, at(8)],
    ['at the time of the event if Stripe names none', {}, at(11)],
  ])('to Canceled notifies the Owner of an end %s', (_when, values, endsAt) => {
    const subscription = subscribed();
    subscription.apply(fact({ status: 'canceled', ...values }), at(11));
    expect(subscription.pullNotices()).toEqual([{ kind: 'SubscriptionCanceled', endsAt, hasEnded: true }]);
  });

  it('to Canceled is made once, however often the end is delivered', () => {
    const subscription = subscribed({ status: 'canceled' });
    expect(subscription.apply(fact({ status: 'canceled' }), at(11))).toBe('applied');
    expect(subscription.pullNotices()).toEqual([]);
    expect(subscription.isChanged).toBe(false);
  });
});

describe('An operator’s override', () => {
  it('changes status and plan, and keeps the state at Stripe', () => {
    const subscription = subscribed();
    subscription.override('Paused', 'Business');
    expect(subscription).toMatchObject({ status: 'Paused', plan: 'Business', processorStatus: 'active' });
    expect(subscription.pullNotices()).toEqual([]);
  });

  it('of the status alone keeps the plan', () => {
    const subscription = subscribed();
    subscription.override('PastDue', undefined);
    expect(subscription).toMatchObject({ status: 'PastDue', plan: 'Pro' });
  });

  it.each([
    ['at Stripe notifies of the next failure', (one: Subscription) => one.apply(fact({ status: 'paused' }), at(11)), 1],
    ['by an operator does not', (one: Subscription) => one.override('Paused', undefined), 0],
  ])('between two failures: a pause %s', (_whose, pause, notices) => {
    const subscription = subscribed({ status: 'past_due' });
    pause(subscription);
    subscription.apply(fact({ status: 'past_due' }), at(12));
    expect(subscription.pullNotices()).toHaveLength(notices);
  });

  it('is reverted by the next change from Stripe', () => {
    const subscription = subscribed();
    subscription.override('Canceled', 'Free');
    expect(subscription.apply(fact(), at(11))).toBe('applied');
    expect(subscription).toMatchObject({ status: 'Active', plan: 'Pro' });
  });
});

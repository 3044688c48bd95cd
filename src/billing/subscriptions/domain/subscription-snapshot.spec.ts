import { choose, isOver, localStatusOf, type SubscriptionSnapshot } from './subscription-snapshot';

const TENANT = 'tenant';
const state = (
  subscriptionId: string,
  status: string,
  created: number,
  tenantId: string | null = TENANT,
): SubscriptionSnapshot => ({
  subscriptionId,
  customerId: 'cus',
  status,
  isCollectionPaused: false,
  plan: 'Pro',
  priceId: 'price_pro',
  interval: 'month',
  currency: 'usd',
  seats: null,
  discount: null,
  pending: null,
  createdAt: new Date(created),
  currentPeriodEnd: null,
  isEnding: false,
  endsAt: null,
  endedAt: null,
  latestInvoiceId: null,
  isLatestInvoicePaid: null,
  trialEndsAt: null,
  tenantId,
});

describe('the status here', () => {
  it.each([
    ['trialing', false, 'Trialing'],
    ['trialing', true, 'Trialing'],
    ['active', false, 'Active'],
    ['active', true, 'Paused'],
    ['past_due', true, 'PastDue'],
    ['unpaid', false, 'PastDue'],
    ['incomplete', false, 'PastDue'],
    ['paused', false, 'Paused'],
    ['canceled', true, 'Canceled'],
    ['incomplete_expired', false, 'Canceled'],
    ['toString', false, undefined],
    ['', false, undefined],
    ['ACTIVE', false, undefined],
  ])('of %s, collection paused %s, is %s', (status, isPaused, expected) =>
    expect(localStatusOf(status, isPaused)).toBe(expected),
  );

  it('has ended only if it is canceled, or if its first invoice was never paid in time', () => {
    const all = [
      'trialing',
      'active',
      'past_due',
      'unpaid',
      'incomplete',
      'paused',
      'canceled',
      'incomplete_expired',
      'something_new',
    ];
    expect(all.filter(isOver)).toEqual(['canceled', 'incomplete_expired']);
  });
});

describe('of several subscriptions of a customer', () => {
  it.each<[string, SubscriptionSnapshot[], string | undefined]>([
    ['none is none', [], undefined],
    [
      'one that lives wins over a newer one that does not',
      [state('old', 'active', 1), state('new', 'canceled', 2)],
      'old',
    ],
    [
      'the one that serves best wins',
      [state('due', 'past_due', 3), state('trial', 'trialing', 2), state('active', 'active', 1)],
      'active',
    ],
    ['an unknown status comes last', [state('new', 'on_hold', 3), state('late', 'incomplete', 1)], 'late'],
    ['of equals the newest', [state('old', 'active', 1), state('new', 'active', 2)], 'new'],
    ['of those that are over the newest', [state('old', 'canceled', 1), state('new', 'canceled', 2)], 'new'],
    ['none of another tenant', [state('theirs', 'active', 2, 'other'), state('ours', 'past_due', 1, null)], 'ours'],
    ['none at all, where all are another tenant’s', [state('theirs', 'active', 2, 'other')], undefined],
  ])('%s', (_rule, states, expected) => expect(choose(TENANT, states)?.subscriptionId).toBe(expected));
});

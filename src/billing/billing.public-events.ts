import { publicEvent } from '../platform/public-events';
import { SubscriptionChanged, SubscriptionRecovered } from './billing.events';
import { SubscriptionView } from './http/views/billing.views';
import type { SubscriptionStatus } from './subscriptions/domain/subscription-snapshot';
import { detailsOf } from './subscriptions/services/subscription-details';

const ofSubscription = {
  from: SubscriptionChanged,
  schema: SubscriptionView,
  permission: 'tenant.billing.read' as const,
  data: ({ after }: SubscriptionChanged) => detailsOf(after.tenantId, after),
};
const becomes =
  (status: SubscriptionStatus) =>
  ({ before, after }: SubscriptionChanged) =>
    before.status !== status && after.status === status;

/** The public events of subscriptions. */
export const SUBSCRIPTION_EVENTS = [
  publicEvent('subscription.updated', {
    summary: 'The plan, the status or a planned cancellation of the subscription changed',
    ...ofSubscription,
  }),
  publicEvent('subscription.past_due', {
    summary: 'A payment failed; the plan remains for now',
    when: becomes('PastDue'),
    ...ofSubscription,
  }),
  publicEvent('subscription.recovered', {
    summary: 'A payment succeeded after one that failed',
    from: SubscriptionRecovered,
    schema: SubscriptionView,
    permission: 'tenant.billing.read',
    data: ({ after }: SubscriptionRecovered) => detailsOf(after.tenantId, after),
  }),
  publicEvent('subscription.canceled', {
    summary: 'The subscription has ended',
    when: becomes('Canceled'),
    ...ofSubscription,
  }),
];

import type { StripeKeys } from '../domain/stripe-fact';

/** The keys by which subscriptions are found. */
export interface SubscriptionKeys {
  readonly subscriptionIds: readonly string[];
  readonly customerIds: readonly string[];
  readonly tenantIds: readonly string[];
}

/**
 * The condition for subscriptions `s` that match any of the keys, which are the parameters $1 to
 * $3. The planner does not see the length of an array of a sub-select: it would plan each execution
 * for its number of keys, which takes longer than the lookup.
 */
export const MATCHING = `
  (s.processor_subscription_id = ANY(ARRAY(SELECT unnest($1::text[])))
    OR s.processor_customer_id = ANY(ARRAY(SELECT unnest($2::text[])))
    OR s.tenant_id = ANY(ARRAY(SELECT unnest($3::uuid[]))))`;

/** The parameters of MATCHING. */
export const matching = ({ subscriptionIds, customerIds, tenantIds }: SubscriptionKeys): unknown[] => [
  subscriptionIds,
  customerIds,
  tenantIds,
];

/** The keys that a Stripe event names. */
export const keysOf = ({ subscriptionId, customerId, tenantIds }: StripeKeys): SubscriptionKeys => ({
  subscriptionIds: [subscriptionId],
  customerIds: customerId === null ? [] : [customerId],
  tenantIds,
});

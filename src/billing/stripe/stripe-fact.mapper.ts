import { PAID_PLANS, type PaidPlan } from '../entitlements/domain/plan';
import type { PlanPrices } from '../catalogue/services/plan-prices';
import type {
  CheckoutFact,
  PaymentFact,
  SnapshotFact,
  StripeFact,
  StripeKeys,
} from '../subscriptions/domain/stripe-fact';
import type { SubscriptionSnapshot } from '../subscriptions/domain/subscription-snapshot';
import { fieldsOf, idIn, isFields, momentOf, tenantIdIn, textOf, type Fields } from './stripe-fields';
import type { StripeEvent } from './stripe-event';
import { isAmountPaid, subscriptionIdOfInvoice, tenantIdsOfInvoice, toSnapshot } from './stripe-subscription.mapper';

type Prices = Pick<PlanPrices, 'termsOf'>;

/** A fact, and the ids by which its tenant is found. */
export interface AddressedFact<Fact = StripeFact> {
  readonly keys: StripeKeys;
  readonly fact: Fact;
}

/**
 * Maps an event to what it says about a subscription.
 * @returns undefined if it concerns none: another type, or a checkout or an invoice for something
 * else
 * @throws an error for operators if the event lacks a required field
 */
export function toFact(event: StripeEvent, prices: Prices): AddressedFact | undefined {
  const { type, object, before, createdAt } = event;
  switch (type) {
    case 'checkout.session.completed':
      return checkoutFact(object, prices);
    case 'customer.subscription.updated':
      return snapshotFact(object, prices, { previousStatus: statusBefore(object, before), keepsEnd: keepsEnd(before) });
    case 'customer.subscription.deleted':
      return snapshotFact({ ...object, status: 'canceled' }, prices);
    case 'customer.subscription.trial_will_end':
      return snapshotFact(object, prices, { isTrialEnding: true, keepsEnd: true });
    case 'invoice.payment_failed':
      return paymentFact('payment-failed', object, createdAt);
    case 'invoice.payment_succeeded':
      return paymentFact('payment-succeeded', object, createdAt);
    default:
      return undefined;
  }
}

/**
 * An event that says what it has changed, but not the status, has kept it.
 * @param before what the event has changed; nothing if it does not say it
 */
const statusBefore = ({ status }: Fields, before: Fields): string | null =>
  textOf(Object.keys(before).length > 0 && !('status' in before) ? status : before.status);

/** @param before as above */
const keepsEnd = (before: Fields): boolean =>
  Object.keys(before).length > 0 && !('cancel_at' in before) && !('cancel_at_period_end' in before);

function snapshotFact(
  object: Fields,
  prices: Prices,
  rest: Partial<Pick<SnapshotFact, 'previousStatus' | 'keepsEnd' | 'isTrialEnding'>> = {},
): AddressedFact<SnapshotFact> {
  const snapshot = toSnapshot(object, prices);
  if (!snapshot) throw new Error('The subscription in this event has no id, customer, status or time.');
  return addressedSnapshot(snapshot, distinct([snapshot.tenantId]), rest);
}

function addressedSnapshot(
  snapshot: SubscriptionSnapshot,
  tenantIds: readonly string[],
  { previousStatus = null, keepsEnd = false, isTrialEnding = false }: Partial<SnapshotFact> = {},
): AddressedFact<SnapshotFact> {
  const { subscriptionId, customerId } = snapshot;
  return {
    keys: { subscriptionId, customerId, tenantIds },
    fact: { kind: 'snapshot', snapshot, previousStatus, keepsEnd, isTrialEnding },
  };
}

/** A session may contain its whole subscription, or only the id. */
function checkoutFact(session: Fields, prices: Prices): AddressedFact<CheckoutFact | SnapshotFact> | undefined {
  const subscriptionId = idIn(session.subscription);
  if (session.mode !== 'subscription' || !subscriptionId) return undefined;
  const metadata = fieldsOf(session.metadata);
  const tenantIds = distinct([tenantIdIn(metadata), tenantIdIn(fieldsOf(session.subscription).metadata)]);
  const referenceId = tenantIdIn({ tenantId: session.client_reference_id });
  const snapshot = isFields(session.subscription) ? toSnapshot(session.subscription, prices) : undefined;
  if (snapshot) {
    const { keys, fact } = addressedSnapshot(snapshot, tenantIds);
    return { keys: { ...keys, referenceId }, fact };
  }
  const trialDays = daysIn(metadata.trialDays);
  const customerId = idIn(session.customer);
  if (!customerId) throw new Error('The checkout in this event has no customer.');
  return {
    keys: { subscriptionId, customerId, tenantIds, referenceId },
    fact: {
      kind: 'checkout-completed',
      subscriptionId,
      customerId,
      plan: PAID_PLANS.find((plan): plan is PaidPlan => plan === metadata.plan) ?? null,
      currency: textOf(session.currency),
      isTrialing: trialDays === null ? isFree(session) : trialDays > 0,
      trialDays,
      isPaid: session.payment_status !== 'unpaid',
    },
  };
}

const daysIn = (text: unknown) => (typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number(text) : null);

/** So looks a trial, and a discount of the whole amount. */
const isFree = ({ payment_status, amount_total }: Fields) =>
  payment_status === 'no_payment_required' || amount_total === 0;

function paymentFact(kind: PaymentFact['kind'], invoice: Fields, at: Date): AddressedFact<PaymentFact> | undefined {
  const subscriptionId = subscriptionIdOfInvoice(invoice);
  if (!subscriptionId) return undefined;
  return {
    keys: { subscriptionId, customerId: idIn(invoice.customer), tenantIds: distinct(tenantIdsOfInvoice(invoice)) },
    fact: {
      kind,
      subscriptionId,
      invoice: { id: idIn(invoice.id), createdAt: momentOf(invoice.created) ?? at },
      isPaid: isAmountPaid(invoice),
      isRetry: typeof invoice.attempt_count === 'number' && invoice.attempt_count > 1,
    },
  };
}

const distinct = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))];

import type { Notice } from '../subscriptions/domain/notice';
import type { Invoice } from '../subscriptions/domain/open-invoice';
import type { Outcome, Subscription } from '../subscriptions/domain/subscription';
import { PAID_PLANS, type PaidPlan } from '../entitlements/domain/plan';
import type { PlanPrices } from '../entitlements/services/plan-prices';
import { fieldsOf, idIn, isFields, momentOf, tenantIdIn, textOf, type Fields } from './json-fields';
import { toSnapshot, subscriptionIdOfInvoice, tenantIdsOfInvoice } from './stripe-subscription.mapper';

/** What every event of the processor has in common. */
export interface StripeEvent {
  readonly eventId: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly isLive: boolean;
  readonly object: Fields;
  /** What the object was like before, as far as it has changed. */
  readonly before: Fields;
}

const MAX_TEXT = 255;

/** Undefined for what is no event. */
export function eventOf(payload: unknown): StripeEvent | undefined {
  if (!isFields(payload)) return undefined;
  const [eventId, type, createdAt] = [textOf(payload.id), textOf(payload.type), momentOf(payload.created)];
  if (!eventId || !type || !createdAt || eventId.length > MAX_TEXT || type.length > MAX_TEXT) return undefined;
  const data = fieldsOf(payload.data);
  return {
    eventId,
    type,
    createdAt,
    isLive: payload.livemode === true,
    object: fieldsOf(data.object),
    before: fieldsOf(data.previous_attributes),
  };
}

/** What an event means for a tenant's subscription. */
export interface EventEffect {
  readonly subscriptionId: string;
  readonly customerId: string | null;
  /** Whom it says it is about; all of them should say the same. */
  readonly tenantIds: readonly string[];
  /** What an operator should look at, though it was applied. */
  readonly remark: string | null;
  readonly apply: (subscription: Subscription, notices: Notice[]) => Outcome;
}

/**
 * Undefined for an event that concerns no subscription: of another type, or a checkout or an
 * invoice for something else.
 */
export function effectOf(event: StripeEvent, prices: PlanPrices): EventEffect | undefined {
  const { type, object, createdAt } = event;
  switch (type) {
    case 'checkout.session.completed':
      return effectOfCheckout(event, prices);
    case 'customer.subscription.updated':
      return effectOfSubscription(object, createdAt, prices, textOf(event.before.status));
    case 'customer.subscription.deleted':
      return effectOfSubscription({ ...object, status: 'canceled' }, createdAt, prices);
    case 'customer.subscription.trial_will_end':
      return effectOfTrialEnd(object, createdAt, prices);
    case 'invoice.payment_failed':
      return effectOfInvoice(object, createdAt, (subscription, id, invoice, notices) =>
        subscription.failPayment(id, invoice, createdAt, notices),
      );
    case 'invoice.payment_succeeded':
      return effectOfInvoice(object, createdAt, (subscription, id, invoice, notices) =>
        subscription.recoverPayment(id, invoice, createdAt, notices),
      );
    default:
      return undefined;
  }
}

/** @throws what an operator will read, when the event lacks what every one of its kind has */
function effectOfSubscription(object: Fields, at: Date, prices: PlanPrices, before: string | null = null): EventEffect {
  const state = toSnapshot(object, prices);
  if (!state) throw new Error('The subscription in this event has no id, customer, status or time.');
  const { subscriptionId, customerId, tenantId } = state;
  return {
    subscriptionId,
    customerId,
    tenantIds: distinct([tenantId]),
    remark: state.plan
      ? null
      : 'Its price is not one of PROCESSOR_PRO_PRICE_ID and PROCESSOR_BUSINESS_PRICE_ID; plan and dates stay as they were.',
    apply: (subscription, notices) => subscription.mirror(state, at, notices, before),
  };
}

/** The processor tells it three days before, or at once of a trial that is shorter. */
function effectOfTrialEnd(object: Fields, at: Date, prices: PlanPrices): EventEffect {
  const effect = effectOfSubscription(object, at, prices);
  return {
    ...effect,
    apply: (subscription, notices) => {
      const outcome = effect.apply(subscription, notices);
      if (outcome === 'applied') subscription.tellTrialEnd(at, notices);
      return outcome;
    },
  };
}

function effectOfCheckout({ object, createdAt }: StripeEvent, prices: PlanPrices): EventEffect | undefined {
  const subscriptionId = idIn(object.subscription);
  if (object.mode !== 'subscription' || !subscriptionId) return undefined;
  const metadata = fieldsOf(object.metadata);
  const named = [textOf(object.client_reference_id), textOf(metadata.tenantId)];
  const tenantIds = distinct([
    ...named.map((tenantId) => tenantIdIn({ tenantId })),
    tenantIdIn(fieldsOf(object.subscription).metadata),
  ]);
  const state = isFields(object.subscription) ? toSnapshot(object.subscription, prices) : undefined;
  if (state) return { ...effectOfSubscription(fieldsOf(object.subscription), createdAt, prices), tenantIds };
  const customerId = idIn(object.customer);
  if (!customerId) throw new Error('The checkout in this event has no customer.');
  const completed = {
    subscriptionId,
    customerId,
    plan: PAID_PLANS.find((plan): plan is PaidPlan => plan === metadata.plan) ?? null,
    isTrialing: object.payment_status === 'no_payment_required' || object.amount_total === 0,
  };
  const isPaid = object.payment_status !== 'unpaid';
  return {
    subscriptionId,
    customerId,
    tenantIds,
    remark: completed.plan ? null : 'The checkout names no plan; it is taken from the subscription when that is read.',
    // Money that is still on its way grants nothing: the subscription is read in a moment and says
    // how it stands.
    apply: (subscription, notices) => (isPaid ? subscription.completeCheckout(completed, createdAt, notices) : 'stale'),
  };
}

type ApplyInvoice = (
  subscription: Subscription,
  subscriptionId: string,
  invoice: Invoice,
  notices: Notice[],
) => Outcome;

function effectOfInvoice(invoice: Fields, at: Date, apply: ApplyInvoice): EventEffect | undefined {
  const subscriptionId = subscriptionIdOfInvoice(invoice);
  if (!subscriptionId) return undefined;
  const known = { id: idIn(invoice.id), createdAt: momentOf(invoice.created) ?? at };
  return {
    subscriptionId,
    customerId: idIn(invoice.customer),
    tenantIds: distinct(tenantIdsOfInvoice(invoice)),
    remark: null,
    apply: (subscription, notices) => apply(subscription, subscriptionId, known, notices),
  };
}

const distinct = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))];

import type { SubscriptionActions } from './subscription-actions';
import type { Checkout } from './checkout';
import type { WebhookDeliveries } from './webhook-deliveries';
import type { SubscriptionLifecycle } from './subscription-lifecycle';
import type { StripeStandIn } from './stripe-stand-in';
import type {
  CustomerRecord,
  EventRecord,
  InvoiceRecord,
  PriceRecord,
  SessionRecord,
  SubscriptionRecord,
} from './records';
import { eventObject } from './api-objects';
import { sessionTotals } from './session-totals';
import { amountFor } from './price-amounts';
import type { State } from './state';

/** The parts of the stand-in that the pages use. */
export interface PageContext {
  readonly processor: StripeStandIn;
  readonly state: State;
  readonly checkout: Checkout;
  readonly actions: SubscriptionActions;
  readonly lifecycle: SubscriptionLifecycle;
  readonly deliveries: WebhookDeliveries;
}

const LISTED = 50;
const EVENTS_LISTED = 40;

/** The day of a time in seconds, such as `2026-03-01`. */
export const dayOf = (time: number | null) => (time === null ? null : new Date(time * 1000).toISOString().slice(0, 10));
const momentOf = (time: number) => new Date(time * 1000).toISOString().replace('T', ' ').slice(0, 19);
/** An amount in cents for display, such as `29.00 USD`. */
export const moneyOf = (amount: number, currency: string) => `${(amount / 100).toFixed(2)} ${currency.toUpperCase()}`;

function nameOf(state: State, price: PriceRecord): string {
  return state.products.get(price.product)!.name;
}

/** The cost per period, and how long a discount lasts. @param total at first, in cents */
function costOf(state: State, session: SessionRecord, total: number): string {
  const { currency, promotion } = session;
  const { interval } = state.priceOf(session);
  const coupon = promotion ? state.coupons.get(promotion.coupon) : undefined;
  if (!coupon || coupon.duration === 'forever') return `${moneyOf(total, currency)} per ${interval}`;
  const months = coupon.duration === 'repeating' ? (coupon.durationInMonths ?? 1) : 1;
  const later = sessionTotals(state, { ...session, promotion: null }, false).total;
  const first =
    interval === 'month' && months > 1
      ? `${moneyOf(total, currency)} per month for ${months} months`
      : `${moneyOf(total, currency)} for the first ${interval}`;
  return `${first}, then ${moneyOf(later, currency)} per ${interval}`;
}

/** The codes that a page can offer to try. */
const codesOf = (state: State) =>
  state.promotionCodes
    .all()
    .filter(({ isActive }) => isActive)
    .slice(0, 3)
    .map(({ code }) => code)
    .join(', ');

/** A checkout session as its page shows it. */
export function sessionView({ state, checkout }: PageContext, session: SessionRecord) {
  const price = state.priceOf(session);
  const days =
    session.trialDays ?? (session.trialEnd === null ? null : Math.round((session.trialEnd - session.created) / 86_400));
  const { currency } = session;
  const { subtotal, total, discount, tax } = sessionTotals(state, session, false);
  const cost = costOf(state, session, total);
  return {
    id: session.id,
    name: nameOf(state, price),
    cost: days === null ? cost : `${days} days free, then ${cost}`,
    customer:
      (session.customer && state.customers.get(session.customer)?.email) ?? session.customer ?? session.customerEmail,
    parts: [
      { label: 'Price', amount: subtotal },
      { label: 'Discount', amount: -discount },
      { label: 'Tax', amount: tax },
    ]
      .filter(({ amount }) => amount !== 0)
      .map(({ label, amount }) => ({ label, amount: moneyOf(amount, currency) })),
    allowsCodes: session.allowsPromotionCodes,
    codes: codesOf(state),
    collectsTaxId: session.collectsTaxId,
    needsAddress: session.isTaxAutomatic || session.isAddressRequired,
    hasTrial: days !== null,
    needsNoCard: checkout.needsNoCard(session),
    problem: checkout.problemWith(session),
    cancelUrl: session.cancelUrl,
    expires: momentOf(session.expiresAt),
  };
}

/** A subscription as the pages show it. */
export function subscriptionView({ state }: PageContext, subscription: SubscriptionRecord) {
  const { id, status, quantity, currency, cancelAt, trialEnd, pauseCollection } = subscription;
  const price = state.priceOf(subscription);
  const otherPlans = state.prices
    .all()
    .filter((other) => other.interval && other.isActive && other.id !== price.id && currency in other.amounts);
  const isLive = status !== 'canceled';
  const isHalted = status === 'paused' || pauseCollection !== null;
  return {
    id,
    status,
    quantity,
    plan: nameOf(state, price),
    cost: `${moneyOf(amountFor(price, quantity, currency), currency)} per ${price.interval}`,
    periodStart: dayOf(subscription.periodStart),
    periodEnd: dayOf(subscription.periodEnd),
    trialEnd: status === 'trialing' ? dayOf(trialEnd) : null,
    cancelAt: isLive ? dayOf(cancelAt) : null,
    endedAt: dayOf(subscription.endedAt),
    isCollectionPaused: pauseCollection !== null,
    isLive,
    canPause: isLive && !isHalted,
    canResume: isLive && (isHalted || cancelAt !== null),
    canCancelAtPeriodEnd: isLive && cancelAt === null,
    otherPlans: isLive
      ? otherPlans.map((other) => ({
          price: other.id,
          name: nameOf(state, other),
          cost: `${moneyOf(amountFor(other, quantity, currency), currency)} per ${other.interval}`,
        }))
      : [],
  };
}

/** A customer with its subscriptions, as the pages show it. */
export function customerView(context: PageContext, customer: CustomerRecord) {
  const subscriptions = context.state.subscriptions.of(customer.id);
  return {
    id: customer.id,
    email: customer.email,
    isDeleted: customer.isDeleted,
    metadata: Object.entries(customer.metadata).map(([name, value]) => `${name}: ${value}`),
    card: { good: 'working card ending in 4242', declining: 'declined card ending in 0341', none: 'no card' }[
      customer.card ?? 'none'
    ],
    hasGoodCard: customer.card === 'good',
    subscriptions: [...subscriptions].reverse().map((subscription) => subscriptionView(context, subscription)),
  };
}

function invoiceView(invoice: InvoiceRecord) {
  const { number, customer, status, attempts, nextAttempt, created, total, currency } = invoice;
  return {
    number,
    customer,
    status,
    attempts,
    nextAttempt: dayOf(nextAttempt),
    created: dayOf(created),
    amount: moneyOf(total, currency),
  };
}

function eventView(event: EventRecord) {
  const { id, type, created, delivery, tries, lastStatus } = event;
  return {
    id,
    type,
    created: momentOf(created),
    delivery,
    attempts: tries,
    lastStatus,
    payload: JSON.stringify(eventObject(event), null, 2),
  };
}

/** The data of the dashboard. Long lists are cut to the newest entries. */
export function dashboardView(context: PageContext) {
  const { state, processor, deliveries } = context;
  const { chaos } = processor;
  const listed = state.customers.latest(LISTED);
  return {
    now: momentOf(state.seconds()),
    isAhead: state.aheadMs > 0,
    address: deliveries.address,
    customers: listed.map((customer) => customerView(context, customer)),
    moreCustomers: state.customers.size - listed.length,
    sessions: state.sessions
      .latest(LISTED)
      .filter(({ status }) => status === 'open')
      .map((session) => sessionView(context, session)),
    invoices: state.invoices.latest(LISTED).map(invoiceView),
    events: state.events.latest(EVENTS_LISTED).map(eventView),
    chances: CHANCES.map(([name, label]) => ({ name, label, value: chaos[name] })),
    maxDelayMs: chaos.maxDelayMs,
    isOld: chaos.apiVersion === 'old',
    isChaotic: chaos.apiVersion === 'old' || CHANCES.some(([name]) => chaos[name] > 0),
  };
}

/** The delivery faults that have a probability, with their labels. */
export const CHANCES = [
  ['duplicate', 'Delivered twice'],
  ['delay', 'Delivered late'],
  ['reorder', 'Out of order'],
  ['drop', 'Never delivered'],
  ['wrongSignature', 'Preceded by a copy with a wrong signature'],
] as const;

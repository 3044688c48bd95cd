import type { ApiObject, EventObject } from './api-objects';

type Fields = Record<string, unknown>;

/**
 * Converts an event to the API version 2020-08-27. A webhook endpoint keeps the version it was
 * created with.
 */
export function toLegacyVersion(event: EventObject): EventObject {
  const { object, previous_attributes: previous } = event.data;
  const data = { object: oldObject(object), ...(previous && { previous_attributes: oldPrevious(previous, object) }) };
  return { ...event, api_version: '2020-08-27', data };
}

function oldObject(object: ApiObject): ApiObject {
  if (object.object === 'subscription') return oldSubscription(object);
  if (object.object === 'invoice') return oldInvoice(object);
  if (object.object !== 'checkout.session') return object;
  return {
    ...without(object, 'ui_mode', 'allowed_payment_method_types', 'customer_account', 'created'),
    shipping: null,
  };
}

/** The period was on the subscription itself, and the portal set `cancel_at_period_end`. */
function oldSubscription(subscription: ApiObject): ApiObject {
  const isAtPeriodEnd = isCancelAtPeriodEnd(subscription);
  return {
    ...without(subscription, 'billing_mode', 'customer_account', 'billing_schedules', 'discounts'),
    discount: null,
    ...(isAtPeriodEnd && { cancel_at_period_end: true }),
    ...periodOf(subscription.items),
    items: withoutPeriods(subscription.items),
  };
}

function oldPrevious(previous: Fields, object: Fields): Fields {
  if (object.object !== 'subscription') return previous;
  const { items, ...rest } = without(previous, 'billing_mode');
  const wasAtPeriodEnd = 'cancel_at' in previous && isCancelAtPeriodEnd({ ...object, ...previous });
  if ('cancel_at' in previous && wasAtPeriodEnd !== isCancelAtPeriodEnd(object))
    rest.cancel_at_period_end = wasAtPeriodEnd;
  if (items === undefined) return rest;
  const [before, after] = [periodOf(items), periodOf(object.items)];
  const isMoved = before.current_period_end !== after.current_period_end;
  return { ...rest, ...(isMoved && before), items: withoutPeriods(items) };
}

function isCancelAtPeriodEnd({ cancel_at: cancelAt, cancel_at_period_end: flag, items }: Fields): boolean {
  return flag === true || (cancelAt !== null && cancelAt === periodOf(items).current_period_end);
}

function without<Object extends Fields>(object: Object, ...names: string[]): Object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name))) as Object;
}

function itemsOf(items: unknown): Fields[] {
  return (items as { data: Fields[] }).data;
}

function periodOf(items: unknown) {
  const [{ current_period_start, current_period_end }] = itemsOf(items);
  return { current_period_start, current_period_end };
}

function withoutPeriods(items: unknown): Fields {
  const data = itemsOf(items).map((item) =>
    without(item, 'current_period_start', 'current_period_end', 'current_trial'),
  );
  return { ...(items as Fields), data };
}

/** An invoice had `subscription` and `paid`, and its lines had `price`. */
function oldInvoice(invoice: ApiObject): ApiObject {
  const { parent, lines } = invoice;
  const { subscription } = (parent as { subscription_details: { subscription: string } }).subscription_details;
  return {
    ...without(invoice, 'parent', 'customer_account', 'amount_overpaid', 'total_taxes'),
    charge: null,
    discount: null,
    lines: { ...(lines as Fields), data: itemsOf(lines).map((line) => oldLine(line, subscription)) },
    paid: invoice.status === 'paid',
    payment_intent: null,
    subscription,
  };
}

function oldLine(line: Fields, subscription: string): Fields {
  const { parent, pricing, ...rest } = line;
  const { price_details: details, unit_amount_decimal: amount } = pricing as {
    price_details: { price: string; product: string };
    unit_amount_decimal: string | null;
  };
  const { subscription_item: item } = (parent as { subscription_item_details: { subscription_item: string } })
    .subscription_item_details;
  const unitAmount = amount === null ? null : Number(amount);
  const common = {
    id: details.price,
    currency: line.currency,
    livemode: false,
    active: true,
    metadata: {},
    product: details.product,
  };
  return {
    ...rest,
    plan: { ...common, object: 'plan', amount: unitAmount, interval: 'month', interval_count: 1 },
    price: { ...common, object: 'price', type: 'recurring', unit_amount: unitAmount, unit_amount_decimal: amount },
    proration: false,
    subscription,
    subscription_item: item,
    type: 'subscription',
  };
}

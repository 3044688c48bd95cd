import { resourceMissing, StripeError } from './stripe-error';
import { productObject, list, type ApiObject } from './api-objects';
import { customerObject } from './customer-objects';
import { sessionLineObject } from './session-objects';
import { includeInPrice, priceObject } from './price-objects';
import { subscriptionObject } from './billing-objects';
import { invoiceObject } from './invoice-objects';
import { customerWithCard, paymentMethodObject } from './payment-methods';
import { scheduleObject } from './schedule-objects';
import { couponObject, discountObject, promotionCodeObject } from './discount-objects';
import type { CustomerRecord } from './records';
import type { State } from './state';
import type { PageQuery, Table } from './in-memory-table';

const PRICE_FIELDS = ['tiers', 'currency_options'];

type Times = number | { gt?: number; gte?: number; lt?: number; lte?: number };

/** The parameters of all list routes. */
export interface ListParams {
  readonly limit?: number;
  readonly starting_after?: string;
  readonly ending_before?: string;
  readonly created?: Times;
  readonly customer?: string;
}

/** A page of a table as the API returns it, newest first. */
export function listPage<
  Row extends { readonly id: string; readonly created: number; readonly customer?: string | null },
>(
  what: {
    url: string;
    name: string;
    table: Table<Row>;
    render: (row: Row) => ApiObject;
    /** All customers, if the list can be that of one. */
    customers?: Table<CustomerRecord>;
  },
  params: ListParams,
  matches: (row: Row) => boolean = () => true,
) {
  const { limit = 10, starting_after: startingAfter, ending_before: endingBefore, created, customer } = params;
  if (limit < 1 || limit > 100)
    throw new StripeError(`This value must be between 1 and 100 (it is ${limit}).`, { param: 'limit' });
  for (const [param, id] of Object.entries({ starting_after: startingAfter, ending_before: endingBefore })) {
    if (id !== undefined && !what.table.get(id)) throw resourceMissing(what.name, id, param);
  }
  if (customer !== undefined && what.customers?.get(customer) === undefined)
    throw resourceMissing('customer', customer, 'customer');
  const query: PageQuery<Row> = {
    limit,
    startingAfter,
    endingBefore,
    customer,
    matches: (row) => isWithin(row.created, created) && matches(row),
  };
  const { rows, hasMore } = what.table.page(query);
  return list(what.url, rows.map(what.render), hasMore);
}

function isWithin(time: number, limits: Times | undefined): boolean {
  if (limits === undefined) return true;
  if (typeof limits === 'number') return time === limits;
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = limits;
  return time > gt && time >= gte && time < lt && time <= lte;
}

/**
 * Replaces ids in a response by their objects (`expand`): `customer`, `data.customer`,
 * `latest_invoice`, `line_items` …
 */
export function expand(state: State, answer: object, paths: readonly string[] = []): void {
  const refused = paths.find((path) => state.unexpandable !== undefined && path.includes(state.unexpandable));
  if (refused !== undefined)
    throw new StripeError(`This property cannot be expanded (${refused}).`, { param: 'expand' });
  for (const path of paths) expandPath(state, answer as Record<string, unknown>, path.split('.'), path);
}

function expandPath(state: State, holder: Record<string, unknown>, [name, ...rest]: string[], path: string): void {
  if (name === 'line_items' && holder.object === 'checkout.session') {
    const session = state.sessions.get(holder.id as string)!;
    holder.line_items ??= list(`/v1/checkout/sessions/${session.id}/line_items`, [sessionLineObject(state, session)]);
  }
  if (holder.object === 'price' && PRICE_FIELDS.includes(name))
    return includeInPrice(holder, state.prices.get(holder.id as string)!, [name, ...rest]);
  const value = holder[name];
  if (value === undefined) throw new StripeError(`This property cannot be expanded (${path}).`, { param: 'expand' });
  if (typeof value === 'string') holder[name] = objectNamed(state, name, value) ?? value;
  if (Array.isArray(value))
    holder[name] = value.map(
      (item) => (typeof item === 'string' ? (objectWith(state, item) ?? item) : item) as unknown,
    );
  if (rest.length === 0) return;
  for (const next of [holder[name]].flat())
    if (typeof next === 'object' && next !== null) expandPath(state, next as Record<string, unknown>, rest, path);
}

/** The id of a coupon has no prefix that would tell what it is. */
function objectNamed(state: State, name: string, id: string): ApiObject | undefined {
  const coupon = name === 'coupon' ? state.coupons.get(id) : undefined;
  return coupon ? couponObject(coupon, state.seconds()) : objectWith(state, id);
}

function objectWith(state: State, id: string): ApiObject | undefined {
  const found = <Row>(row: Row | undefined, render: (row: Row) => ApiObject) =>
    row === undefined ? undefined : render(row);
  switch (id.split('_')[0]) {
    case 'cus':
      return found(state.customers.get(id), customerObject);
    case 'sub':
      if (id.startsWith('sub_sched_')) return found(state.schedules.get(id), scheduleObject);
      return found(state.subscriptions.get(id), (row) => subscriptionObject(state, row));
    case 'in':
      return found(state.invoices.get(id), (row) => invoiceObject(state, row));
    case 'price':
      return found(state.prices.get(id), priceObject);
    case 'pm':
      return found(customerWithCard(state, id), (row) => paymentMethodObject(row)!);
    case 'di':
      return found(state.discounts.get(id), discountObject);
    case 'promo':
      return found(state.promotionCodes.get(id), promotionCodeObject);
    case 'prod':
      return found(state.products.get(id), productObject);
    default:
      return undefined;
  }
}

import type Stripe from 'stripe';
import { listPage, type ListParams } from './pagination';
import { priceObject } from './price-objects';
import { amountsOf } from './price-parameters';
import type { PriceRecord } from './records';
import { mergedMetadata, route, type Context, type Routes } from './routes';
import { resourceMissing, StripeError } from './stripe-error';

type PriceFilter = ListParams &
  Pick<Stripe.PriceListParams, 'active' | 'currency' | 'product' | 'recurring' | 'type'> & {
    lookup_keys?: string[];
  };

/** Prices. Their amounts cannot be changed: a new price takes the lookup key over. */
export const priceRoutes: Routes = {
  'POST /v1/prices': route<Stripe.PriceCreateParams>((context, params) => {
    const { product, recurring } = params;
    const { state } = context;
    if (product === undefined)
      throw new StripeError('This stand-in needs `product`.', { code: 'parameter_missing', param: 'product' });
    if (!state.products.get(product)) throw resourceMissing('product', product, 'product');
    const amounts = amountsOf(params);
    takeLookupKey(context, params);
    const price: PriceRecord = {
      id: state.random.id('price', 24),
      created: state.seconds(),
      product,
      currency: params.currency,
      ...amounts,
      taxBehavior: amounts.amounts[params.currency].taxBehavior,
      interval: (recurring?.interval as PriceRecord['interval'] | undefined) ?? null,
      intervalCount: recurring?.interval_count ?? 1,
      isActive: params.active ?? true,
      nickname: params.nickname ?? null,
      lookupKey: params.lookup_key ?? null,
      metadata: mergedMetadata({}, params.metadata),
    };
    return priceObject(state.prices.add(price));
  }),
  'GET /v1/prices/{id}': route((context, _params, id) => priceObject(priceWith(context, id))),
  'POST /v1/prices/{id}': route<Stripe.PriceUpdateParams>((context, params, id) => {
    const price = priceWith(context, id);
    if (params.currency_options !== undefined || params.tax_behavior !== undefined)
      throw new StripeError('This stand-in cannot change the amounts and the tax behavior of a price.');
    takeLookupKey(context, params, price);
    if (params.active !== undefined) price.isActive = params.active;
    if (params.nickname !== undefined) price.nickname = params.nickname;
    if (params.lookup_key !== undefined) price.lookupKey = params.lookup_key;
    price.metadata = mergedMetadata(price.metadata, params.metadata);
    return priceObject(price);
  }),
  'GET /v1/prices': route<PriceFilter>(
    ({ state }, { active, product, lookup_keys: keys, currency, recurring, type, ...params }) =>
      listPage(
        { url: '/v1/prices', name: 'price', table: state.prices, render: priceObject },
        params,
        (price) =>
          (active === undefined || price.isActive === active) &&
          (product === undefined || price.product === product) &&
          (keys === undefined || (price.lookupKey !== null && keys.includes(price.lookupKey))) &&
          (currency === undefined || price.currency === currency) &&
          (recurring?.interval === undefined || price.interval === recurring.interval) &&
          (type === undefined || (type === 'recurring') === (price.interval !== null)),
      ),
  ),
};

/** A lookup key belongs to one price. It moves to another one with `transfer_lookup_key` only. */
function takeLookupKey(
  { state }: Context,
  { lookup_key: key, transfer_lookup_key: isTransferred }: Stripe.PriceUpdateParams,
  price?: PriceRecord,
): void {
  const holder = key === undefined ? undefined : state.prices.all().find(({ lookupKey }) => lookupKey === key);
  if (!holder || holder === price) return;
  if (!isTransferred)
    throw new StripeError(`A price (\`${holder.id}\`) already uses that lookup key.`, { param: 'lookup_key' });
  holder.lookupKey = null;
}

function priceWith({ state }: Context, id: string): PriceRecord {
  const price = state.prices.get(id);
  if (!price) throw resourceMissing('price', id);
  return price;
}

import type Stripe from 'stripe';
import { listPage, type ListParams } from './pagination';
import type { CustomerRecord } from './records';
import { resourceMissing, StripeError } from './stripe-error';
import { customerObject, priceObject, productObject } from './api-objects';
import { mergedMetadata, route, type Context, type Routes } from './routes';

const METADATA_SEARCH = /^metadata\['(\w+)'\]:'([^']*)'$/;
/** Seconds until a search finds a new object. At Stripe, too, search is not read-after-write. */
const SEARCH_LAG = 60;

/** Customers, products and prices. */
export const catalogueRoutes: Routes = {
  'POST /v1/customers': route<Stripe.CustomerCreateParams>(({ state }, params) =>
    customerObject(
      state.customers.add({
        id: state.random.id('cus', 14),
        created: state.seconds(),
        email: params.email || null,
        name: params.name || null,
        phone: params.phone || null,
        description: params.description || null,
        metadata: mergedMetadata({}, params.metadata),
        card: null,
        isDeleted: false,
      }),
    ),
  ),
  'GET /v1/customers/search': route<Stripe.CustomerSearchParams>(({ state }, { query, limit = 10 }) => {
    const [, name, value] = METADATA_SEARCH.exec(query) ?? [];
    if (name === undefined)
      throw new StripeError("This stand-in searches by `metadata['name']:'value'` only.", { param: 'query' });
    const isFound = ({ isDeleted, created, metadata }: CustomerRecord) =>
      !isDeleted && created <= state.seconds() - SEARCH_LAG && metadata[name] === value;
    const { data, has_more } = listPage(
      { url: '', name: 'customer', table: state.customers, render: customerObject },
      { limit },
      isFound,
    );
    return { object: 'search_result', data, has_more, url: '/v1/customers/search', next_page: null };
  }),
  'GET /v1/customers/{id}': route((context, _params, id) => customerObject(customerWith(context, id))),
  'POST /v1/customers/{id}': route<Stripe.CustomerUpdateParams>((context, params, id) => {
    const customer = customerWith(context, id);
    if (customer.isDeleted) throw resourceMissing('customer', id);
    for (const field of ['email', 'name', 'phone', 'description'] as const) {
      if (params[field] !== undefined) customer[field] = params[field] || null;
    }
    customer.metadata = mergedMetadata(customer.metadata, params.metadata);
    return customerObject(customer);
  }),
  'DELETE /v1/customers/{id}': route((context, _params, id) => {
    const customer = customerWith(context, id);
    if (customer.isDeleted) throw resourceMissing('customer', id);
    context.actions.deleteCustomer(customer);
    return customerObject(customer);
  }),
  'GET /v1/customers': route<ListParams & { email?: string }>(({ state }, { email, ...params }) =>
    listPage(
      { url: '/v1/customers', name: 'customer', table: state.customers, render: customerObject },
      params,
      (customer) => !customer.isDeleted && (email === undefined || customer.email === email),
    ),
  ),

  'POST /v1/products': route<Stripe.ProductCreateParams>(({ state }, params) => {
    if (params.id !== undefined && state.products.get(params.id)) {
      throw new StripeError('Product already exists.', { code: 'resource_already_exists', param: 'id' });
    }
    return productObject(
      state.products.add({
        id: params.id ?? state.random.id('prod', 14),
        created: state.seconds(),
        name: params.name,
        description: params.description ?? null,
        isActive: params.active ?? true,
        metadata: mergedMetadata({}, params.metadata),
      }),
    );
  }),
  'GET /v1/products/{id}': route(({ state }, _params, id) =>
    productObject(state.products.get(id) ?? refuse('product', id)),
  ),
  'GET /v1/products': route<ListParams & { active?: boolean }>(({ state }, { active, ...params }) =>
    listPage(
      { url: '/v1/products', name: 'product', table: state.products, render: productObject },
      params,
      ({ isActive }) => active === undefined || isActive === active,
    ),
  ),

  'POST /v1/prices': route<Stripe.PriceCreateParams>(({ state }, params) => {
    const { product, recurring, unit_amount: amount } = params;
    if (product === undefined || amount === undefined) {
      throw new StripeError('This stand-in needs `product` and `unit_amount`.', {
        code: 'parameter_missing',
        param: product === undefined ? 'product' : 'unit_amount',
      });
    }
    if (!state.products.get(product)) throw resourceMissing('product', product, 'product');
    return priceObject(
      state.prices.add({
        id: state.random.id('price', 24),
        created: state.seconds(),
        product,
        amount,
        currency: params.currency,
        interval: (recurring?.interval as 'month' | undefined) ?? null,
        intervalCount: recurring?.interval_count ?? 1,
        isActive: params.active ?? true,
        nickname: params.nickname ?? null,
        lookupKey: params.lookup_key ?? null,
        metadata: mergedMetadata({}, params.metadata),
      }),
    );
  }),
  'GET /v1/prices/{id}': route(({ state }, _params, id) => priceObject(state.prices.get(id) ?? refuse('price', id))),
  'GET /v1/prices': route<ListParams & { active?: boolean; product?: string; lookup_keys?: string[] }>(
    ({ state }, { active, product, lookup_keys: keys, ...params }) =>
      listPage(
        { url: '/v1/prices', name: 'price', table: state.prices, render: priceObject },
        params,
        (price) =>
          (active === undefined || price.isActive === active) &&
          (product === undefined || price.product === product) &&
          (keys === undefined || (price.lookupKey !== null && keys.includes(price.lookupKey))),
      ),
  ),
};

function customerWith({ state }: Context, id: string) {
  return state.customers.get(id) ?? refuse('customer', id);
}

function refuse(what: string, id: string): never {
  throw resourceMissing(what, id);
}

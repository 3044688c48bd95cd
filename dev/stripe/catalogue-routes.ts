import type Stripe from 'stripe';
import { listPage, type ListParams } from './pagination';
import { newCustomer } from './record-defaults';
import type { CustomerRecord } from './records';
import { resourceMissing, StripeError } from './stripe-error';
import { productObject } from './api-objects';
import { customerObject } from './customer-objects';
import { mergedMetadata, route, type Context, type Routes } from './routes';

const METADATA_SEARCH = /^metadata\['(\w+)'\]:'([^']*)'$/;
/** Seconds until a search finds a new object. At Stripe, too, search is not read-after-write. */
const SEARCH_LAG = 60;

/** Customers and products. */
export const catalogueRoutes: Routes = {
  'POST /v1/customers': route<Stripe.CustomerCreateParams>(({ state }, params) =>
    customerObject(
      state.customers.add(
        newCustomer({
          id: state.random.id('cus', 14),
          created: state.seconds(),
          email: params.email || null,
          name: params.name || null,
          phone: params.phone || null,
          description: params.description || null,
          metadata: mergedMetadata({}, params.metadata),
        }),
      ),
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
  'POST /v1/products/{id}': route<Stripe.ProductUpdateParams>(({ state }, params, id) => {
    const product = state.products.get(id) ?? refuse('product', id);
    if (params.name !== undefined) product.name = params.name;
    if (params.description !== undefined) product.description = params.description || null;
    if (params.active !== undefined) product.isActive = params.active;
    product.metadata = mergedMetadata(product.metadata, params.metadata);
    return productObject(product);
  }),
  'GET /v1/products': route<ListParams & { active?: boolean }>(({ state }, { active, ...params }) =>
    listPage(
      { url: '/v1/products', name: 'product', table: state.products, render: productObject },
      params,
      ({ isActive }) => active === undefined || isActive === active,
    ),
  ),
};

function customerWith({ state }: Context, id: string) {
  return state.customers.get(id) ?? refuse('customer', id);
}

function refuse(what: string, id: string): never {
  throw resourceMissing(what, id);
}

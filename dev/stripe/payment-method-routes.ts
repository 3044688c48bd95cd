import { list } from './api-objects';
import { customerWithCard, paymentMethodObject } from './payment-methods';
import { route, type Routes } from './routes';
import { resourceMissing } from './stripe-error';

/** The cards of customers. A customer has at most one. */
export const paymentMethodRoutes: Routes = {
  'GET /v1/customers/{id}/payment_methods': route<{ type?: string }>(({ state }, { type }, id) => {
    const customer = state.customers.get(id);
    if (!customer || customer.isDeleted) throw resourceMissing('customer', id);
    const card = type === undefined || type === 'card' ? paymentMethodObject(customer) : undefined;
    return list(`/v1/customers/${id}/payment_methods`, card ? [card] : []);
  }),
  'GET /v1/payment_methods/{id}': route(({ state }, _params, id) => {
    const customer = customerWithCard(state, id);
    if (!customer) throw resourceMissing('PaymentMethod', id);
    return paymentMethodObject(customer)!;
  }),
};

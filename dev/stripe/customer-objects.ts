import type { ApiObject } from './api-objects';
import { paymentMethodId } from './payment-methods';
import type { CustomerRecord } from './records';

/** The API's customer of a record. */
export function customerObject(customer: CustomerRecord): ApiObject {
  const { id, created, email, name, phone, description, metadata, isDeleted } = customer;
  if (isDeleted) return { id, object: 'customer', deleted: true };
  return {
    id,
    object: 'customer',
    address: addressObject(customer),
    balance: customer.balance,
    created,
    currency: customer.currency,
    default_source: null,
    delinquent: false,
    description,
    discount: null,
    email,
    invoice_prefix: id.slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: paymentMethodId(customer),
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata,
    name,
    next_invoice_sequence: 1,
    phone,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
}

/** The address of a customer as the API returns it. */
export function addressObject(customer: CustomerRecord | undefined) {
  if (!customer?.address) return null;
  const { country, line1, postalCode, city } = customer.address;
  return { city, country, line1, line2: null, postal_code: postalCode, state: null };
}

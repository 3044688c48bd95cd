import type { EventRecord, PortalRecord, ProductRecord } from './records';
import type { State } from './state';

/** The API version of the stand-in. */
export const API_VERSION = '2026-10-28.endive';

/** An object as the API returns it. */
export type ApiObject = { id: string; object: string } & Record<string, unknown>;

/** A list as the API returns it. */
export function list(url: string, data: readonly ApiObject[], hasMore = false) {
  return { object: 'list', data, has_more: hasMore, url };
}

/** The API's product of a record. */
export function productObject({ id, created, name, description, isActive, metadata }: ProductRecord): ApiObject {
  return {
    id,
    object: 'product',
    active: isActive,
    created,
    default_price: null,
    description,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata,
    name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: created,
    url: null,
  };
}

/** The API's billing portal session of a record. */
export function portalObject(state: State, { id, created, customer, returnUrl }: PortalRecord): ApiObject {
  return {
    id,
    object: 'billing_portal.session',
    configuration: 'bpc_local',
    created,
    customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: returnUrl,
    url: `${state.url}/portal/${id}`,
  };
}

/** An event as the API returns it. */
export type EventObject = ApiObject & {
  type: string;
  data: { object: ApiObject; previous_attributes?: Record<string, unknown> };
};

/** The API's event of a record. */
export function eventObject(event: EventRecord): EventObject {
  return {
    id: event.id,
    object: 'event',
    api_version: API_VERSION,
    created: event.created,
    data: JSON.parse(event.data) as { object: ApiObject },
    livemode: false,
    pending_webhooks: event.delivery === 'delivered' ? 0 : 1,
    request: event.cause,
    type: event.type,
  };
}

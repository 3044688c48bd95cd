import type { WebhookDelivery } from '../domain/webhook-delivery';
import type { WebhookEndpoint } from '../domain/webhook-endpoint';

/** The columns of an endpoint that responses show. */
export const ENDPOINT_COLUMNS = [
  'id',
  'url',
  'description',
  'types',
  'perSecond',
  'verifiedAt',
  'publicKey',
  'oldKeysUntil',
  'disabledAt',
  'disabledWhy',
  'failingSince',
  'createdBy',
  'createdAt',
] as const satisfies readonly (keyof WebhookEndpoint)[];

/** The columns of a delivery that responses show. */
export const DELIVERY_COLUMNS = [
  'id',
  'messageId',
  'type',
  'state',
  'attempt',
  'nextAt',
  'createdAt',
] as const satisfies readonly (keyof WebhookDelivery)[];

/** The part of an endpoint that responses show. */
export type EndpointSummary = Pick<WebhookEndpoint, (typeof ENDPOINT_COLUMNS)[number]>;

/** Copies what responses show of an endpoint. */
export const endpointSummary = (endpoint: WebhookEndpoint): EndpointSummary =>
  Object.fromEntries(ENDPOINT_COLUMNS.map((name) => [name, endpoint[name]])) as unknown as EndpointSummary;

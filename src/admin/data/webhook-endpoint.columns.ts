import type { ColumnOf } from '../../platform/database/entity-table';
import type { WebhookEndpoint } from '../../webhooks/webhooks.api';

/** The columns of an AdminWebhookEndpointView; of the address it shows the host. */
export const WEBHOOK_ENDPOINT_COLUMNS = [
  'id',
  'tenantId',
  'url',
  'description',
  'failures',
  'failingSince',
  'disabledAt',
  'disabledWhy',
  'isSlow',
  'createdAt',
] as const satisfies readonly ColumnOf<WebhookEndpoint>[];

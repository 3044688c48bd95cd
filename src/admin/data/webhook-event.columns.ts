import type { WebhookEvent } from '../../billing/billing.api';
import type { ColumnOf } from '../../platform/database/entity-table';

/** The columns of a WebhookEventView. */
export const WEBHOOK_EVENT_COLUMNS = [
  'id',
  'eventId',
  'type',
  'status',
  'tenantId',
  'createdAt',
  'receivedAt',
  'attempts',
  'error',
] as const satisfies readonly ColumnOf<WebhookEvent>[];

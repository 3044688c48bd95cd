/** The columns of a WebhookEventView. */
export const WEBHOOK_EVENT_COLUMNS = `id, event_id AS "eventId", type, status, tenant_id AS "tenantId",
  created_at AS "createdAt", received_at AS "receivedAt", attempts, error`;

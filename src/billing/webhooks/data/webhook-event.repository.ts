import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { EVERY_TENANT } from '../../../platform/database/tenant-scope';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import type { WebhookEvent, WebhookEventStatus } from '../domain/webhook-event';

/** Returns a row if event $1 is stored. */
export const KNOWN = 'SELECT FROM webhook_events WHERE event_id = $1';

/** Stores an event; returns no row if it is already stored. */
export const ADD = `
  INSERT INTO webhook_events (id, event_id, type, status, tenant_id, created_at, received_at, attempts, error, payload)
  VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9) ON CONFLICT (event_id) DO NOTHING RETURNING id`;

/** Stores the result of event $1. */
export const SETTLE = `
  UPDATE webhook_events SET status = $2, tenant_id = coalesce($3, tenant_id), error = $4, attempts = attempts + $5,
    is_applied = $6, is_foreign = $7 WHERE id = $1`;

/**
 * The tenants among $1 with an applied event that is newer than $2. The subscription's row does not
 * show an event that changed nothing.
 */
const OVERTAKEN = `
  SELECT t.id FROM unnest($1::uuid[]) AS t (id)
   WHERE EXISTS (SELECT FROM webhook_events e WHERE e.tenant_id = t.id AND e.is_applied AND e.created_at > $2)`;

/** The result of an event. */
export interface Settlement {
  readonly status: WebhookEventStatus;
  readonly tenantId: string | null;
  readonly error: string | null;
  /** Whether it was applied to a subscription; absent: no. */
  readonly isApplied?: boolean;
  /** Whether it names no tenant of this service; absent: no. */
  readonly isForeign?: boolean;
}

/** An event to store, with the signed text as its payload. */
export type NewWebhookEvent = Pick<WebhookEvent, 'id' | 'eventId' | 'type' | 'createdAt' | 'receivedAt'> &
  Omit<Settlement, 'isApplied' | 'isForeign'> & { readonly payload: string };

/**
 * The stored Stripe events. Call within EVERY_TENANT: the tenant of an event is not known at first.
 */
@Injectable()
export class WebhookEventRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly database: Database,
  ) {}

  /** Whether an event is stored. Needs no transaction; enough for most repeated deliveries. */
  async isKnown(eventId: string): Promise<boolean> {
    return (await this.database.queryInTenant(EVERY_TENANT, KNOWN, [eventId])).length > 0;
  }

  /**
   * @returns false if it is already stored; the unique index decides between concurrent deliveries
   */
  async add({
    id,
    eventId,
    type,
    status,
    tenantId,
    createdAt,
    receivedAt,
    error,
    payload,
  }: NewWebhookEvent): Promise<boolean> {
    return (
      (await this.unitOfWork.query(ADD, [id, eventId, type, status, tenantId, createdAt, receivedAt, error, payload]))
        .length === 1
    );
  }

  /** Locks an event until the transaction ends. */
  async lock(id: string): Promise<WebhookEvent | undefined> {
    const sql = `
      SELECT id, event_id AS "eventId", type, status, tenant_id AS "tenantId", created_at AS "createdAt",
        received_at AS "receivedAt", attempts, error, payload
        FROM webhook_events WHERE id = $1 FOR UPDATE`;
    return (await this.unitOfWork.query<WebhookEvent>(sql, [id]))[0];
  }

  /** Stores the result. @param attempts the number of attempts to add */
  async settle(
    id: string,
    { status, tenantId, error, isApplied = false, isForeign = false }: Settlement,
    attempts: number,
  ): Promise<void> {
    await this.unitOfWork.query(SETTLE, [id, status, tenantId, error, attempts, isApplied, isForeign]);
  }

  /** The tenants with an applied event that is newer than a Stripe timestamp. */
  async overtaken(tenantIds: readonly string[], at: Date): Promise<Set<string>> {
    const rows = await this.unitOfWork.query<{ id: string }>(OVERTAKEN, [tenantIds, at]);
    return new Set(rows.map(({ id }) => id));
  }
}

import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { EVERY_TENANT } from '../../../platform/database/tenant-scope';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import type { WebhookEvent, WebhookEventStatus } from '../domain/webhook-event';

/** A row where event $1 was stored before. */
export const KNOWN = 'SELECT FROM webhook_events WHERE event_id = $1';

/** Stores an event; no row where it is there already. */
export const ADD = `
  INSERT INTO webhook_events (id, event_id, type, status, tenant_id, created_at, received_at, attempts, error, payload)
  VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9) ON CONFLICT (event_id) DO NOTHING RETURNING id`;

/** What became of event $1. */
export const SETTLE = `
  UPDATE webhook_events SET status = $2, tenant_id = coalesce($3, tenant_id), error = $4, attempts = attempts + $5,
    is_applied = $6, is_foreign = $7 WHERE id = $1`;

/**
 * Tenants among $1 of whom an event was applied that is newer than $2: a row that the event left as
 * it was does not tell.
 */
const OVERTAKEN = `
  SELECT t.id FROM unnest($1::uuid[]) AS t (id)
   WHERE EXISTS (SELECT FROM webhook_events e WHERE e.tenant_id = t.id AND e.is_applied AND e.created_at > $2)`;

/** What became of an event. */
export interface Settlement {
  readonly status: WebhookEventStatus;
  readonly tenantId: string | null;
  readonly error: string | null;
  /** Whether the tenant's subscription is as it says; absent: no. */
  readonly isApplied?: boolean;
  /** Whether it is about nobody who is here; absent: no. */
  readonly isForeign?: boolean;
}

/** An event as it is stored; the payload as the text that was signed. */
export type NewWebhookEvent = Pick<WebhookEvent, 'id' | 'eventId' | 'type' | 'createdAt' | 'receivedAt'> &
  Omit<Settlement, 'isApplied' | 'isForeign'> & { readonly payload: string };

/**
 * The inbox of the processor's events. Call within EVERY_TENANT: whose an event is turns out later.
 */
@Injectable()
export class WebhookEventRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly database: Database,
  ) {}

  /**
   * Whether this event was stored before, looked up without a transaction: most repetitions need no
   * more.
   */
  async isKnown(eventId: string): Promise<boolean> {
    return (await this.database.queryInTenant(EVERY_TENANT, KNOWN, [eventId])).length > 0;
  }

  /**
   * @returns false when it is there already: the unique index decides between two deliveries at
   * once
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

  /** An event, locked until the transaction ends. */
  async lock(id: string): Promise<WebhookEvent | undefined> {
    const sql = `
      SELECT id, event_id AS "eventId", type, status, tenant_id AS "tenantId", created_at AS "createdAt",
        received_at AS "receivedAt", attempts, error, payload
        FROM webhook_events WHERE id = $1 FOR UPDATE`;
    return (await this.unitOfWork.query<WebhookEvent>(sql, [id]))[0];
  }

  /** Writes down what became of it. @param attempts how many more */
  async settle(
    id: string,
    { status, tenantId, error, isApplied = false, isForeign = false }: Settlement,
    attempts: number,
  ): Promise<void> {
    await this.unitOfWork.query(SETTLE, [id, status, tenantId, error, attempts, isApplied, isForeign]);
  }

  /**
   * Of which tenants something newer was applied than what was said at a moment of the processor's
   * clock.
   */
  async overtaken(tenantIds: readonly string[], at: Date): Promise<Set<string>> {
    const rows = await this.unitOfWork.query<{ id: string }>(OVERTAKEN, [tenantIds, at]);
    return new Set(rows.map(({ id }) => id));
  }
}

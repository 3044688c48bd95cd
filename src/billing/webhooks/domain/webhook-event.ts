import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { newIdAt } from '../../../platform/ids';
import type { StripeEvent } from '../../stripe/stripe-event';
import { webhookRetryPause } from './webhook-retry';

export const WEBHOOK_EVENT_STATUSES = ['processed', 'ignored', 'failed', 'needs-attention'] as const;
export type WebhookEventStatus = (typeof WEBHOOK_EVENT_STATUSES)[number];

/** A correctly signed Stripe event. It is stored once, however often it is delivered. */
@Entity('webhook_events')
@Unique('webhook_events_event_id_key', ['eventId'])
@Index('webhook_events_status_id_idx', ['status', 'id'])
@Index('webhook_events_type_id_idx', ['type', 'id'])
@Index('webhook_events_tenant_id_id_idx', ['tenantId', 'id'])
@Check('webhook_events_status_check', `status IN ('processed', 'ignored', 'failed', 'needs-attention')`)
export class WebhookEvent {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_events_pkey' }) readonly id!: string;
  /** The Stripe id. */
  @Column({ type: 'text', update: false }) readonly eventId!: string;
  @Column({ type: 'text', update: false }) readonly type!: string;
  @Column('text') status!: WebhookEventStatus;
  /** The tenant that it is about, if known. */
  @Column('uuid', { nullable: true }) tenantId!: string | null;
  /** When Stripe created it. */
  @Column({ type: 'timestamptz', update: false }) readonly createdAt!: Date;
  @Column({ type: 'timestamptz', update: false }) readonly receivedAt!: Date;
  /** Attempts to apply it. */
  @Column('integer', { default: 0 }) attempts!: number;
  /** Why it was not applied, or what an operator should review. */
  @Column('text', { nullable: true }) error!: string | null;
  /** Whether it was applied, even if it changed nothing. Older events are then ignored. */
  @Column('boolean', { default: false }) isApplied!: boolean;
  /**
   * Whether it names no tenant of this service, for example because another product uses the same
   * Stripe account. After a day it is ignored.
   */
  @Column('boolean', { default: false }) isForeign!: boolean;
  /** As signed. A received event does not have it; it is stored as the text that was received. */
  @Column({ type: 'jsonb', update: false }) readonly payload!: object;

  /** An event of which the first attempt to apply it begins. */
  static receive({ eventId, type, createdAt }: StripeEvent, now: Date): WebhookEvent {
    const attempt = { attempts: 1, status: 'processed', error: null, tenantId: null };
    const content = { id: newIdAt(now), eventId, type, createdAt, receivedAt: now };
    return Object.assign(new WebhookEvent(), { ...content, ...attempt, isApplied: false, isForeign: false });
  }

  /** Whether it was applied, or needed no change, for a known tenant. */
  isProcessed(): this is { tenantId: string } {
    return this.status === 'processed' && this.tenantId !== null;
  }

  /** Another attempt begins. */
  retry(): void {
    this.attempts++;
  }

  /** Records the result of an attempt. A tenant that is known stays. */
  settle({ status, tenantId, error, isApplied = false, isForeign = false }: Settlement): void {
    this.status = status;
    this.tenantId = tenantId ?? this.tenantId;
    this.error = error;
    this.isApplied = isApplied;
    this.isForeign = isForeign;
  }

  /**
   * Records that an attempt failed. After the last one, an operator must review the event.
   * @returns seconds until the next attempt; undefined if there is none
   */
  fail(error: string): number | undefined {
    const pause = webhookRetryPause(this.attempts);
    this.settle({ status: pause === undefined ? 'needs-attention' : 'failed', tenantId: null, error });
    return pause;
  }
}

/** The result of an attempt to apply an event. */
export interface Settlement {
  readonly status: WebhookEventStatus;
  readonly tenantId: string | null;
  readonly error: string | null;
  /** Whether it was applied to a subscription; absent: no. */
  readonly isApplied?: boolean;
  /** Whether it names no tenant of this service; absent: no. */
  readonly isForeign?: boolean;
}

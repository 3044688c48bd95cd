import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

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
  @Column('text') readonly eventId!: string;
  @Column('text') readonly type!: string;
  @Column('text') readonly status!: WebhookEventStatus;
  /** The tenant that it is about, if known. */
  @Column('uuid', { nullable: true }) readonly tenantId!: string | null;
  /** When Stripe created it. */
  @Column('timestamptz') readonly createdAt!: Date;
  @Column('timestamptz') readonly receivedAt!: Date;
  /** Attempts to apply it. */
  @Column('integer', { default: 0 }) readonly attempts!: number;
  /** Why it was not applied, or what an operator should review. */
  @Column('text', { nullable: true }) readonly error!: string | null;
  /** Whether it was applied, even if it changed nothing. Older events are then ignored. */
  @Column('boolean', { default: false }) readonly isApplied!: boolean;
  /**
   * Whether it names no tenant of this service, for example because another product uses the same
   * Stripe account. After a day it is ignored.
   */
  @Column('boolean', { default: false }) readonly isForeign!: boolean;
  @Column('jsonb') readonly payload!: object;
}

import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

export const WEBHOOK_EVENT_STATUSES = ['processed', 'ignored', 'failed', 'needs-attention'] as const;
export type WebhookEventStatus = (typeof WEBHOOK_EVENT_STATUSES)[number];

/**
 * An event that the processor delivered and that was properly signed; kept once, however often it
 * was delivered.
 */
@Entity('webhook_events')
@Unique('webhook_events_event_id_key', ['eventId'])
@Index('webhook_events_status_id_idx', ['status', 'id'])
@Index('webhook_events_type_id_idx', ['type', 'id'])
@Index('webhook_events_tenant_id_id_idx', ['tenantId', 'id'])
@Check('webhook_events_status_check', `status IN ('processed', 'ignored', 'failed', 'needs-attention')`)
export class WebhookEvent {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_events_pkey' }) readonly id!: string;
  /** The processor's own id of it. */
  @Column('text') readonly eventId!: string;
  @Column('text') readonly type!: string;
  @Column('text') readonly status!: WebhookEventStatus;
  /** Whom it is about, where that is known. */
  @Column('uuid', { nullable: true }) readonly tenantId!: string | null;
  /** When the processor made it. */
  @Column('timestamptz') readonly createdAt!: Date;
  @Column('timestamptz') readonly receivedAt!: Date;
  /** How often it was tried to apply it. */
  @Column('integer', { default: 0 }) readonly attempts!: number;
  /** Why it was not applied, or what is to be looked at. */
  @Column('text', { nullable: true }) readonly error!: string | null;
  /**
   * Whether the tenant's subscription is as it says, though nothing may have been written: what is
   * older changes nothing any more.
   */
  @Column('boolean', { default: false }) readonly isApplied!: boolean;
  /**
   * Whether it names no tenant of ours, as those of another product at the same account of the
   * processor: after a day nobody needs to look at it.
   */
  @Column('boolean', { default: false }) readonly isForeign!: boolean;
  @Column('jsonb') readonly payload!: object;
}

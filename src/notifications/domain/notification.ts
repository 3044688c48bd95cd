import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { newId } from '../../platform/ids';
import { User } from '../../users/users.api';
import { Tenant } from '../../tenants/tenants.api';

/**
 * The kinds of notifications (docs/specification.md, Other records; docs/contract.md,
 * Notifications).
 */
export const NOTIFICATION_KINDS = [
  'SubscriptionPastDue',
  'PaymentRecovered',
  'SubscriptionCanceled',
  'TrialEnding',
  'MemberInvited',
  'InvitationReceived',
  'MemberJoined',
  'AccountAccessed',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** A message to a user, shown in the application. */
@Entity('notifications')
@Index('notifications_user_id_id_idx', ['userId', 'id'])
@Index('notifications_user_id_position_idx', ['userId', 'position'])
@Index('notifications_unread_idx', ['userId', 'id'], { where: 'read_at IS NULL' })
@Index('notifications_tenant_id_idx', ['tenantId'])
export class Notification {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'notifications_pkey' }) readonly id!: string;
  /** Null: shown in every tenant. */
  @ForeignKey(() => Tenant, { name: 'notifications_tenant_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  readonly tenantId!: string | null;
  @ForeignKey(() => User, { name: 'notifications_user_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly userId!: string;
  @Column('text') readonly kind!: NotificationKind;
  @Column('jsonb') readonly data!: object;
  /**
   * Increases in the order in which a user's notifications become visible, which ids do not
   * guarantee. The stream reads by it.
   */
  @Column('bigint') readonly position!: string;
  @Column('timestamptz') readonly createdAt!: Date;
  @Column('timestamptz', { nullable: true }) readonly readAt!: Date | null;

  /** A new notification, which gets its position when it is stored. */
  static create({ tenantId, userId, kind, data }: NewNotification, now: Date): Notification {
    const content = { tenantId, userId, kind, data };
    return Object.assign(new Notification(), { id: newId(), ...content, createdAt: now, readAt: null });
  }
}

/** What a notification says, and to whom. */
export type NewNotification = Pick<Notification, 'tenantId' | 'userId' | 'kind' | 'data'>;

import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { newId } from '../../platform/ids';
import { User } from '../../users/users.api';
import { Tenant } from '../../tenants/tenants.api';
import type { NotificationData, NotificationKind } from './notification-data';

/** A message to a user, shown in the application. */
@Entity('notifications')
@Index('notifications_user_id_id_idx', ['userId', 'id'])
@Index('notifications_user_id_position_idx', ['userId', 'position'])
@Index('notifications_unread_idx', ['userId', 'id'], { where: 'read_at IS NULL' })
@Index('notifications_named_idx', { synchronize: false }) // GIN, which TypeORM cannot declare
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
  @Column('jsonb') readonly data!: NotificationData[NotificationKind];
  /**
   * Increases in the order in which a user's notifications become visible, which ids do not
   * guarantee. The stream reads by it.
   */
  @Column('bigint') readonly position!: string;
  @Column('timestamptz') readonly createdAt!: Date;
  @Column('timestamptz', { nullable: true }) readonly readAt!: Date | null;

  /** A new notification, which gets its position when it is stored. */
  static create({ tenantId, userId, kind, data, isRead }: Content & WithState, now: Date): Notification {
    const content = { tenantId, userId, kind, data };
    return Object.assign(new Notification(), { id: newId(), ...content, createdAt: now, readAt: isRead ? now : null });
  }
}

type Content = Pick<Notification, 'tenantId' | 'userId' | 'kind' | 'data'>;

interface WithState {
  /** Whether its user knows of it already: it completes the list and disturbs nobody. */
  readonly isRead?: boolean;
}

/** What a notification says, and to whom. Each kind has its own data. */
export type NewNotification<K extends NotificationKind = NotificationKind> = {
  readonly [Kind in K]: Pick<Content, 'tenantId' | 'userId'> &
    WithState & {
      readonly kind: Kind;
      readonly data: NotificationData[Kind];
    };
}[K];

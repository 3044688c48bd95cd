import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { addSeconds, DAY } from '../../platform/clock';
import { newId } from '../../platform/ids';
import type { Permission } from '../../platform/permissions';
import { Tenant } from '../../tenants/tenants.api';
import { User } from '../../users/users.api';

/** Days after which what nobody has taken over is disabled. */
export const DAYS_UNTIL_DISABLED = 14;
/** Days before that in which the Owner is reminded. */
export const REMINDER_DAYS = 3;

/** What outlives its maker, with the permission that its maker needs. */
export const RESOURCE_PERMISSIONS = {
  'service-account': 'tenant.keys.manage',
  'webhook-endpoint': 'tenant.webhooks.manage',
  'audit-stream': 'tenant.audit.stream',
} as const satisfies Record<string, Permission>;
export type ResourceKind = keyof typeof RESOURCE_PERMISSIONS;
export const RESOURCE_KINDS = Object.keys(RESOURCE_PERMISSIONS) as ResourceKind[];

/** The kinds whose permission is not among these. */
export const kindsWithout = (held: readonly string[]): ResourceKind[] =>
  RESOURCE_KINDS.filter((kind) => !held.includes(RESOURCE_PERMISSIONS[kind]));

/** When a resource that was left at this time is disabled. */
export const disabledFrom = (leftAt: Date): Date => addSeconds(leftAt, DAYS_UNTIL_DISABLED * DAY);

/**
 * A service account with keys, a webhook endpoint or an audit stream whose maker has left the
 * tenant, or has lost the permission that it needs. One row for each maker of a service account's
 * keys. A row means nothing while its resource is disabled, and ends 14 days
 * later in any case.
 */
@Entity('orphaned_resources')
@Unique('orphaned_resources_resource_key', ['tenantId', 'resourceId', 'leftBy'])
@Check('orphaned_resources_kind_check', `kind IN ('service-account', 'webhook-endpoint', 'audit-stream')`)
@Index('orphaned_resources_left_by_idx', ['leftBy'])
@Index('orphaned_resources_left_at_idx', ['leftAt'])
export class OrphanedResource {
  @ForeignKey(() => Tenant, { name: 'orphaned_resources_tenant_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'orphaned_resources_pkey' })
  readonly tenantId!: string;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'orphaned_resources_pkey' }) readonly id!: string;
  @Column({ type: 'text', update: false }) readonly kind!: ResourceKind;
  @Column({ type: 'uuid', update: false }) readonly resourceId!: string;
  /** Who had made it; null if the account was deleted. */
  @ForeignKey(() => User, { name: 'orphaned_resources_left_by_fkey', onDelete: 'SET NULL' })
  @Column({ type: 'uuid', nullable: true, update: false })
  readonly leftBy!: string | null;
  @Column({ type: 'timestamptz', update: false }) readonly leftAt!: Date;
  /** When the Owner was reminded; null: not yet. */
  @Column('timestamptz', { nullable: true }) readonly remindedAt!: Date | null;

  /** @param leftBy who had made the resource */
  static of(tenantId: string, kind: ResourceKind, resourceId: string, leftBy: string, now: Date): OrphanedResource {
    const left = { kind, resourceId, leftBy, leftAt: now, remindedAt: null };
    return Object.assign(new OrphanedResource(), { tenantId, id: newId(), ...left });
  }
}

import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { newId } from '../../platform/ids';
import { Tenant } from '../../tenants/tenants.api';
import { User } from '../../users/users.api';

/** What can be changed of a service account; omitted fields stay unchanged. */
export interface ServiceAccountChanges {
  readonly name?: string;
  readonly disabled?: boolean;
}

/**
 * A program that acts in a tenant. It signs in with its keys, belongs to the tenant and stays when
 * the person who created it leaves.
 */
@Entity('service_accounts')
@Index('service_accounts_created_by_idx', ['createdBy'])
export class ServiceAccount {
  @ForeignKey(() => Tenant, { name: 'service_accounts_tenant_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'service_accounts_pkey' })
  readonly tenantId!: string;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'service_accounts_pkey' }) readonly id!: string;
  @Column('text') name!: string;
  /** Null if the account of the person was deleted. */
  @ForeignKey(() => User, { name: 'service_accounts_created_by_fkey', onDelete: 'SET NULL' })
  @Column({ type: 'uuid', nullable: true })
  readonly createdBy!: string | null;
  @Column({ type: 'timestamptz', update: false }) readonly createdAt!: Date;
  /** Since when its keys are refused; null: they are not. */
  @Column('timestamptz', { nullable: true }) disabledAt!: Date | null;

  /** @param createdBy the person; null if a key creates it */
  static create(tenantId: string, name: string, createdBy: string | null, now: Date): ServiceAccount {
    return Object.assign(new ServiceAccount(), {
      tenantId,
      id: newId(),
      name,
      createdBy,
      createdAt: now,
      disabledAt: null,
    });
  }

  change({ name = this.name, disabled = this.disabledAt !== null }: ServiceAccountChanges, now: Date): void {
    this.name = name;
    this.disabledAt = disabled ? (this.disabledAt ?? now) : null;
  }
}

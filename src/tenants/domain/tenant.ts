import { Column, Entity, PrimaryColumn } from 'typeorm';
import { newId } from '../../platform/ids';

/** A customer: a group of users with roles and a plan. */
@Entity('tenants')
export class Tenant {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'tenants_pkey' }) readonly id!: string;
  @Column('text') readonly name!: string;
  @Column('timestamptz') readonly createdAt!: Date;
  /** The name in lower case, from which the database derives the search terms. */
  @Column({ type: 'text', select: false, insert: false, update: false }) readonly nameKey!: string;
  /** When the tenant was deleted; its rows are being removed. */
  @Column({ type: 'timestamptz', nullable: true, select: false, insert: false, update: false })
  readonly deletedAt!: Date | null;
  /** The types of public events that its webhooks get; the module of webhooks maintains it. */
  @Column({ type: 'text', array: true, nullable: true, select: false, insert: false, update: false })
  readonly webhookTypes!: string[] | null;

  static create(name: string, now: Date): Tenant {
    return Object.assign(new Tenant(), { id: newId(), name, createdAt: now });
  }
}

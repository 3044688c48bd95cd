import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { newId } from '../../platform/ids';

/** A customer: a group of users with roles and a plan. */
@Entity('tenants')
@Index('tenants_name_key_idx', { synchronize: false }) // by text_pattern_ops, which TypeORM cannot express
export class Tenant {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'tenants_pkey' }) readonly id!: string;
  @Column('text') readonly name!: string;
  @Column('timestamptz') readonly createdAt!: Date;
  /** The name in lower case, for the search; maintained by the database. */
  @Column({ type: 'text', select: false, insert: false, update: false }) readonly nameKey!: string;
  /** When the tenant was deleted; its rows are being removed. */
  @Column({ type: 'timestamptz', nullable: true, select: false, insert: false, update: false })
  readonly deletedAt!: Date | null;

  static create(name: string, now: Date): Tenant {
    return Object.assign(new Tenant(), { id: newId(), name, createdAt: now });
  }
}

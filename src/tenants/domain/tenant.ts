import { Column, Entity, PrimaryColumn } from 'typeorm';
import { newId } from '../../platform/ids';

/** A customer: people who work together, with roles and a plan. */
@Entity('tenants')
export class Tenant {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'tenants_pkey' }) readonly id!: string;
  @Column('text') readonly name!: string;
  @Column('timestamptz') readonly createdAt!: Date;

  static found(name: string, now: Date): Tenant {
    return Object.assign(new Tenant(), { id: newId(), name, createdAt: now });
  }
}

import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { newId } from '../../platform/ids';
import { Tenant } from '../../tenants/tenants.api';

/** A project of a tenant: the smallest example of a module's entity. */
@Entity('projects')
export class Project {
  @ForeignKey(() => Tenant, { name: 'projects_tenant_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'projects_pkey' })
  readonly tenantId!: string;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'projects_pkey' }) readonly id!: string;
  @Column('text') name!: string;
  @Column('boolean') archived!: boolean;
  @Column({ type: 'timestamptz', update: false }) readonly createdAt!: Date;

  /** Creates a project that is not archived. */
  static create(tenantId: string, name: string, now: Date): Project {
    return Object.assign(new Project(), { tenantId, id: newId(), name, archived: false, createdAt: now });
  }

  /** Changes the fields given and leaves the others unchanged. */
  change({ name = this.name, archived = this.archived }: { name?: string; archived?: boolean }): void {
    this.name = name;
    this.archived = archived;
  }
}

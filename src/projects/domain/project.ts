import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { newId } from '../../platform/ids';
import { Tenant } from '../../tenants/tenants.api';

/** What a project is created with. */
export interface NewProject {
  readonly name: string;
}

/** What can be changed of a project; omitted fields stay unchanged. */
export interface ProjectChanges {
  readonly name?: string;
  readonly archived?: boolean;
}

/** A project of a tenant. The smallest example of a module's entity. */
@Entity('projects')
export class Project {
  @ForeignKey(() => Tenant, { name: 'projects_tenant_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'projects_pkey' })
  readonly tenantId!: string;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'projects_pkey' }) readonly id!: string;
  @Column('text') name!: string;
  @Column('boolean') archived!: boolean;
  @Column({ type: 'timestamptz', update: false }) readonly createdAt!: Date;

  static create(tenantId: string, { name }: NewProject, now: Date): Project {
    return Object.assign(new Project(), { tenantId, id: newId(), name, archived: false, createdAt: now });
  }

  change({ name = this.name, archived = this.archived }: ProjectChanges): void {
    this.name = name;
    this.archived = archived;
  }
}

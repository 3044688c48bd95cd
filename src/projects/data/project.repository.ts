import { Injectable } from '@nestjs/common';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Project } from '../domain/project';

/** Stores the projects of a tenant. */
@Injectable()
export class ProjectRepository extends EntityRepository<Project> {
  constructor(unitOfWork: UnitOfWork) {
    super(Project, unitOfWork);
  }

  add(project: Project): Promise<void> {
    return this.insert(project);
  }

  /** The number of projects of a tenant. */
  count(tenantId: string): Promise<number> {
    return this.rows.countBy({ tenantId });
  }

  /**
   * Locks a project until the transaction ends, so that concurrent changes run one after the
   * other.
   */
  lock(tenantId: string, id: string): Promise<Project | null> {
    return this.lockOne({ tenantId, id });
  }

  /** Saves a project that this transaction has locked. */
  save(project: Project): Promise<void> {
    return this.updateLater(project);
  }

  async remove(project: Project): Promise<void> {
    await this.delete(project);
  }
}

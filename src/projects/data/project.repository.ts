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

  /**
   * Whether the tenant has fewer projects than `limit`. Takes a lock, so that concurrent
   * transactions of the tenant wait and the answer stays true until this one ends.
   */
  async lockQuota(tenantId: string, limit: number): Promise<boolean> {
    await this.unitOfWork.lockByName(`projects:${tenantId}`);
    // a separate statement, so that it sees what other transactions have committed
    return (await this.rows.countBy({ tenantId })) < limit;
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
    return this.update(project);
  }

  async remove(project: Project): Promise<void> {
    await this.delete(project);
  }
}

import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Project } from '../domain/project';

/** Stores the projects of a tenant. */
@Injectable()
export class ProjectRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async add(project: Project): Promise<void> {
    await this.unitOfWork.manager.insert(Project, project);
  }

  /**
   * Whether the tenant has fewer projects than `limit`. Takes a lock, so that concurrent
   * transactions of the tenant wait and the answer stays true until this one ends.
   */
  async lockQuota(tenantId: string, limit: number): Promise<boolean> {
    await this.unitOfWork.query(`SELECT pg_advisory_xact_lock(hashtextextended('projects:' || $1, 0))`, [tenantId]);
    // a separate statement, so that it sees what other transactions have committed
    const sql = 'SELECT count(*)::int AS projects FROM (SELECT FROM projects WHERE tenant_id = $1 LIMIT $2) p';
    const [{ projects }] = await this.unitOfWork.query<{ projects: number }>(sql, [tenantId, limit]);
    return projects < limit;
  }

  /**
   * Locks a project until the transaction ends, so that concurrent changes run one after the
   * other.
   */
  lock(tenantId: string, id: string): Promise<Project | null> {
    return this.unitOfWork.manager.findOne(Project, { where: { tenantId, id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Saves the name and the state of a project that this transaction has locked. */
  async save({ tenantId, id, name, archived }: Project): Promise<void> {
    await this.unitOfWork.manager.update(Project, { tenantId, id }, { name, archived });
  }

  async remove({ tenantId, id }: Project): Promise<void> {
    await this.unitOfWork.manager.delete(Project, { tenantId, id });
  }
}

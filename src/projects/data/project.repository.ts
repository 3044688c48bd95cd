import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Project } from '../domain/project';

/** The projects of a tenant. */
@Injectable()
export class ProjectRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async add(project: Project): Promise<void> {
    await this.unitOfWork.manager.insert(Project, project);
  }

  /**
   * Whether the tenant has fewer projects than this, which stays so until the transaction ends:
   * whoever else asks waits.
   */
  async lockQuota(tenantId: string, limit: number): Promise<boolean> {
    await this.unitOfWork.query(`SELECT pg_advisory_xact_lock(hashtextextended('projects:' || $1, 0))`, [tenantId]);
    // one of its own, to see what others have committed
    const sql = 'SELECT count(*)::int AS projects FROM (SELECT FROM projects WHERE tenant_id = $1 LIMIT $2) p';
    const [{ projects }] = await this.unitOfWork.query<{ projects: number }>(sql, [tenantId, limit]);
    return projects < limit;
  }

  /** The project, locked until the transaction ends: two changes to it follow one another. */
  lock(tenantId: string, id: string): Promise<Project | null> {
    return this.unitOfWork.manager.findOne(Project, { where: { tenantId, id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Stores what can change of a project that this transaction has locked. */
  async save({ tenantId, id, name, archived }: Project): Promise<void> {
    await this.unitOfWork.manager.update(Project, { tenantId, id }, { name, archived });
  }

  async remove({ tenantId, id }: Project): Promise<void> {
    await this.unitOfWork.manager.delete(Project, { tenantId, id });
  }
}

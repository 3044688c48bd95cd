import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/unit-of-work';
import { Project } from '../domain/project';

/** The projects of a tenant. */
@Injectable()
export class ProjectRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async add(project: Project): Promise<void> {
    await this.unitOfWork.manager.insert(Project, project);
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

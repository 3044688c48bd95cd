import { DomainEvent, type Doer } from '../platform/domain-events';
import type { Project } from './domain/project';

/** What happens to projects; the audit log hears of it. */
abstract class ProjectEvent extends DomainEvent {
  constructor(action: string, by: Doer, { tenantId, id, name, archived }: Project) {
    super(action, by, tenantId, { type: 'project', id }, { name, archived });
  }
}

export class ProjectCreated extends ProjectEvent {
  constructor(by: Doer, project: Project) {
    super('project.created', by, project);
  }
}

export class ProjectChanged extends ProjectEvent {
  constructor(by: Doer, project: Project) {
    super('project.changed', by, project);
  }
}

export class ProjectDeleted extends ProjectEvent {
  constructor(by: Doer, project: Project) {
    super('project.deleted', by, project);
  }
}

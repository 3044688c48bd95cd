import { DomainEvent, type ActorRef } from '../platform/domain-events';
import type { Project } from './domain/project';

/** The domain events of projects; the audit log records them. */
abstract class ProjectEvent extends DomainEvent {
  constructor(action: string, by: ActorRef, { tenantId, id, name, archived }: Project) {
    super(action, by, tenantId, { type: 'project', id }, { name, archived });
  }
}

export class ProjectCreated extends ProjectEvent {
  constructor(by: ActorRef, project: Project) {
    super('project.created', by, project);
  }
}

export class ProjectChanged extends ProjectEvent {
  constructor(by: ActorRef, project: Project) {
    super('project.changed', by, project);
  }
}

export class ProjectDeleted extends ProjectEvent {
  constructor(by: ActorRef, project: Project) {
    super('project.deleted', by, project);
  }
}

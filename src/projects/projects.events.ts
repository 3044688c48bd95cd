import { DomainEvent, type ActorRef } from '../platform/domain-events';
import type { Project } from './domain/project';

/** The domain events of projects; the audit log records them. */
abstract class ProjectEvent extends DomainEvent {
  constructor(
    by: ActorRef,
    readonly project: Project,
  ) {
    const { tenantId, id, name, archived } = project;
    super(by, tenantId, { type: 'project', id }, { name, archived });
  }
}

export class ProjectCreated extends ProjectEvent {
  static readonly action = 'project.created';
}

export class ProjectChanged extends ProjectEvent {
  static readonly action = 'project.changed';
}

export class ProjectDeleted extends ProjectEvent {
  static readonly action = 'project.deleted';
}

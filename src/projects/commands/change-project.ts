import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { projectDetails } from '../data/project.columns';
import { ProjectRepository } from '../data/project.repository';
import type { ProjectChanges } from '../domain/project';
import { ProjectChanged } from '../projects.events';
import type { ProjectView } from '../http/views/projects.views';

/** Changes a project; omitted fields stay unchanged. NOT_FOUND. */
export class ChangeProject extends Command<Result<ProjectView, 'NOT_FOUND'>> {
  constructor(
    readonly actor: TenantActor,
    readonly projectId: string,
    readonly changes: ProjectChanges,
  ) {
    super();
  }
}

@CommandHandler(ChangeProject)
export class ChangeProjectHandler implements ICommandHandler<ChangeProject> {
  constructor(
    private readonly projects: ProjectRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, projectId, changes }: ChangeProject) {
    return this.unitOfWork.inTenant(actor, async () => {
      const project = await this.projects.lock(actor.tenantId, projectId);
      if (!project) return err(PlatformFailures.notFound);
      project.change(changes);
      await this.projects.save(project);
      await this.events.publish(new ProjectChanged(actor, project));
      return ok(projectDetails(project));
    });
  }
}

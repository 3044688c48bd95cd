import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { ProjectRepository } from '../data/project.repository';
import { ProjectDeleted } from '../projects.events';

/** Deletes a project. NOT_FOUND. */
export class DeleteProject extends Command<Result<void, 'NOT_FOUND'>> {
  constructor(
    readonly actor: TenantActor,
    readonly projectId: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteProject)
export class DeleteProjectHandler implements ICommandHandler<DeleteProject> {
  constructor(
    private readonly projects: ProjectRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, projectId }: DeleteProject) {
    return this.unitOfWork.inTenant(actor, async () => {
      const project = await this.projects.lock(actor.tenantId, projectId);
      if (!project) return err(PlatformFailures.notFound);
      await this.projects.remove(project);
      await this.events.publish(new ProjectDeleted(actor, project));
      return ok();
    });
  }
}

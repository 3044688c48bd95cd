import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../edge/actor';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/unit-of-work';
import { ProjectRepository } from '../data/project.repository';
import { Project } from '../domain/project';
import { ProjectCreated } from '../projects.events';
import { ProjectView } from '../projects.views';

/** Begins a project in the active tenant. */
export class CreateProject extends Command<Result<ProjectView>> {
  constructor(
    readonly actor: TenantActor,
    readonly name: string,
  ) {
    super();
  }
}

@CommandHandler(CreateProject)
export class CreateProjectHandler implements ICommandHandler<CreateProject> {
  constructor(
    private readonly projects: ProjectRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor, name }: CreateProject) {
    const project = Project.begin(actor.tenantId, name, this.clock.now());
    return this.unitOfWork.within(actor, async () => {
      await this.projects.add(project);
      await this.events.publish(new ProjectCreated(actor, project));
      return ok(ProjectView.of(project));
    });
  }
}

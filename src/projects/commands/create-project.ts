import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { PlanLimitCheck } from '../../billing/billing.api';
import type { TenantActor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { ok, type Result } from '../../platform/result';
import { projectDetails } from '../data/project.columns';
import { ProjectRepository } from '../data/project.repository';
import { Project, type NewProject } from '../domain/project';
import { ProjectCreated } from '../projects.events';
import type { ProjectView } from '../http/views/projects.views';

/**
 * Creates a project in the active tenant. PLAN_REQUIRED if the limit of its plan is reached
 * (docs/contract.md, Entitlements).
 */
export class CreateProject extends Command<Result<ProjectView, 'NOT_FOUND' | 'PLAN_REQUIRED'>> {
  constructor(
    readonly actor: TenantActor,
    readonly details: NewProject,
  ) {
    super();
  }
}

@CommandHandler(CreateProject)
export class CreateProjectHandler implements ICommandHandler<CreateProject> {
  constructor(
    private readonly projects: ProjectRepository,
    private readonly planLimits: PlanLimitCheck,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  execute({ actor, details }: CreateProject) {
    const project = Project.create(actor.tenantId, details, this.clock.now());
    return this.planLimits.within(actor, 'projects', async () => {
      await this.projects.add(project);
      await this.events.publish(new ProjectCreated(actor, project));
      return ok(projectDetails(project));
    });
  }
}

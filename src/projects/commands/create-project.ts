import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { BillingFailures, PLAN_LIMITS, PlanCache } from '../../billing/billing.api';
import type { TenantActor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { projectDetails } from '../data/project.columns';
import { ProjectRepository } from '../data/project.repository';
import { Project } from '../domain/project';
import { ProjectCreated } from '../projects.events';
import type { ProjectView } from '../http/views/projects.views';

/**
 * Creates a project in the active tenant. PLAN_REQUIRED if the limit of its plan is reached
 * (docs/contract.md, Tenant operations).
 */
export class CreateProject extends Command<Result<ProjectView, 'NOT_FOUND' | 'PLAN_REQUIRED'>> {
  constructor(
    readonly actor: TenantActor,
    readonly name: string,
  ) {
    super();
  }
}

const limitOf = ({ planInForce }: Awaited<ReturnType<PlanCache['get']>>) => PLAN_LIMITS[planInForce].projects;

const planLimitReached = (limit: number) => ({
  ...BillingFailures.planRequired,
  message: `Your plan includes ${limit} projects. Upgrade to create more.`,
});

@CommandHandler(CreateProject)
export class CreateProjectHandler implements ICommandHandler<CreateProject> {
  constructor(
    private readonly projects: ProjectRepository,
    private readonly plans: PlanCache,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, name }: CreateProject) {
    const cachedLimit = limitOf(await this.plans.get(actor.tenantId));
    const created = await this.create(actor, name, cachedLimit);
    if (created.ok || created.failure.code !== BillingFailures.planRequired.code) return created;
    // the cache may be 5 minutes old: read the plan again before refusing a tenant that has just
    // paid
    const limit = limitOf(await this.plans.reload(actor.tenantId));
    return limit === cachedLimit ? created : this.create(actor, name, limit);
  }

  /** @param limit the number of projects that the plan allows; null: unlimited */
  private create(actor: TenantActor, name: string, limit: number | null) {
    const project = Project.create(actor.tenantId, name, this.clock.now());
    return this.unitOfWork.inTenant(actor, async () => {
      if (limit !== null && !(await this.projects.lockQuota(actor.tenantId, limit)))
        return err(planLimitReached(limit));
      await this.projects.add(project);
      await this.events.publish(new ProjectCreated(actor, project));
      return ok(projectDetails(project));
    });
  }
}

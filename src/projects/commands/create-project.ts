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
 * Begins a project in the active tenant. PLAN_REQUIRED when its plan holds no more (contract
 * section 4).
 */
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
    private readonly plans: PlanCache,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, name }: CreateProject): Promise<Result<ProjectView>> {
    const remembered = limitOf(await this.plans.get(actor.tenantId));
    const created = await this.create(actor, name, remembered);
    if (created.ok || created.failure.code !== BillingFailures.planRequired.code) return created;
    // What is remembered may be 5 minutes old: nobody who has just paid is refused by it.
    const limit = limitOf(await this.plans.reload(actor.tenantId));
    return limit === remembered ? created : this.create(actor, name, limit);
  }

  /** @param limit how many projects the tenant may have; null: as many as they like */
  private create(actor: TenantActor, name: string, limit: number | null): Promise<Result<ProjectView>> {
    const project = Project.begin(actor.tenantId, name, this.clock.now());
    return this.unitOfWork.inTenant(actor, async () => {
      if (limit !== null && !(await this.projects.lockQuota(actor.tenantId, limit))) return err(planHolds(limit));
      await this.projects.add(project);
      await this.events.publish(new ProjectCreated(actor, project));
      return ok(projectDetails(project));
    });
  }
}

const planHolds = (limit: number) => ({
  ...BillingFailures.planRequired,
  message: `The plan holds ${limit} projects. Upgrade to begin more.`,
});

const limitOf = ({ planInForce }: Awaited<ReturnType<PlanCache['get']>>) => PLAN_LIMITS[planInForce].projects;

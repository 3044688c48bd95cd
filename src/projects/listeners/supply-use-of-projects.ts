import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PlanUse } from '../../billing/billing.api';
import { ProjectRepository } from '../data/project.repository';

/** Provides the number of a tenant's projects to the check of plan limits. */
@Injectable()
export class SupplyUseOfProjects implements OnModuleInit {
  constructor(
    private readonly planUse: PlanUse,
    private readonly projects: ProjectRepository,
  ) {}

  onModuleInit(): void {
    this.planUse.countBy('projects', (tenantId) => this.projects.count(tenantId));
  }
}

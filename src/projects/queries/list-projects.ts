import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import type { Page, PageRequest } from '../../platform/pagination';
import { EntityReader } from '../../platform/database/entity-reader';
import { ok, type Result } from '../../platform/result';
import { PROJECT_COLUMNS } from '../data/project.columns';
import { Project } from '../domain/project';
import type { ProjectView } from '../http/views/projects.views';

/** Lists the projects of the active tenant, newest first. */
export class ListProjects extends Query<Result<Page<ProjectView>>> {
  constructor(
    readonly actor: TenantActor,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListProjects)
export class ListProjectsHandler implements IQueryHandler<ListProjects> {
  constructor(private readonly reader: EntityReader) {}

  async execute({ actor, page }: ListProjects): Promise<Result<Page<ProjectView>>> {
    const rows = { scope: actor, select: PROJECT_COLUMNS, where: { tenantId: actor.tenantId } };
    return ok(await this.reader.findPage(Project, rows, page));
  }
}

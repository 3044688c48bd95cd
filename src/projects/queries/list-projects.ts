import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { idOf, pageOf, type Page, type PageRequest } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { ok, type Result } from '../../platform/result';
import { PROJECT_COLUMNS, type ProjectDetails } from '../data/project.columns';
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
  constructor(private readonly database: Database) {}

  async execute({ actor, page }: ListProjects): Promise<Result<Page<ProjectView>>> {
    const rows = await this.database.readInTenant<ProjectDetails>(
      actor,
      `SELECT ${PROJECT_COLUMNS} FROM projects p WHERE tenant_id = $1 AND ($2::uuid IS NULL OR id < $2)
        ORDER BY id DESC LIMIT $3`,
      [actor.tenantId, idOf(page.cursor), page.limit + 1],
    );
    return ok(pageOf(rows, page.limit));
  }
}

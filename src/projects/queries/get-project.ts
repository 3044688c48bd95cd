import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { Database } from '../../platform/database/database';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { PROJECT_COLUMNS, type ProjectDetails } from '../data/project.columns';
import type { ProjectView } from '../http/views/projects.views';

/** Gets a project of the active tenant. NOT_FOUND. */
export class GetProject extends Query<Result<ProjectView, 'NOT_FOUND'>> {
  constructor(
    readonly actor: TenantActor,
    readonly projectId: string,
  ) {
    super();
  }
}

@QueryHandler(GetProject)
export class GetProjectHandler implements IQueryHandler<GetProject> {
  constructor(private readonly database: Database) {}

  async execute({ actor, projectId }: GetProject) {
    const sql = `SELECT ${PROJECT_COLUMNS} FROM projects p WHERE tenant_id = $1 AND id = $2`;
    const [project] = await this.database.readInTenant<ProjectDetails>(actor, sql, [actor.tenantId, projectId]);
    return project ? ok(project) : err(PlatformFailures.notFound);
  }
}

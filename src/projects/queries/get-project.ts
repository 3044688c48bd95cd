import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { EntityReader } from '../../platform/database/entity-reader';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { PROJECT_COLUMNS } from '../data/project.columns';
import { Project } from '../domain/project';
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
  constructor(private readonly reader: EntityReader) {}

  async execute({ actor, projectId }: GetProject) {
    const project = await this.reader.findOne(Project, {
      scope: actor,
      select: PROJECT_COLUMNS,
      where: { tenantId: actor.tenantId, id: projectId },
    });
    return project ? ok(project) : err(PlatformFailures.notFound);
  }
}

import { Module } from '@nestjs/common';
import { ChangeProjectHandler } from './commands/change-project';
import { CreateProjectHandler } from './commands/create-project';
import { DeleteProjectHandler } from './commands/delete-project';
import { ProjectRepository } from './data/project.repository';
import { ProjectsController } from './http/projects.controller';
import { GetProjectHandler } from './queries/get-project';
import { ListProjectsHandler } from './queries/list-projects';

/** The projects of tenants. The example module: `npm run make:module` copies it. */
@Module({
  controllers: [ProjectsController],
  providers: [
    ProjectRepository,
    ChangeProjectHandler,
    CreateProjectHandler,
    DeleteProjectHandler,
    GetProjectHandler,
    ListProjectsHandler,
  ],
})
export class ProjectsModule {}

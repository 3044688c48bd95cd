import { Module } from '@nestjs/common';
import { ChangeProjectHandler } from './commands/change-project';
import { CreateProjectHandler } from './commands/create-project';
import { DeleteProjectHandler } from './commands/delete-project';
import { ProjectRepository } from './data/project.repository';
import { ProjectsController } from './http/projects.controller';
import { GetProjectHandler } from './queries/get-project';
import { ListProjectsHandler } from './queries/list-projects';

/** The example module, to be copied for new ones. */
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

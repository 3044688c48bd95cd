import { publicEvent } from '../platform/public-events';
import { projectDetails } from './data/project.columns';
import { ProjectView } from './http/views/projects.views';
import { ProjectChanged, ProjectCreated, ProjectDeleted } from './projects.events';

const ofProject = {
  schema: ProjectView,
  permission: 'tenant.projects.read' as const,
  data: ({ project }: ProjectCreated) => projectDetails(project),
};

/** The public events of projects. */
export const PROJECT_EVENTS = [
  publicEvent('project.created', { summary: 'A project was created', from: ProjectCreated, ...ofProject }),
  publicEvent('project.updated', { summary: 'A project was changed', from: ProjectChanged, ...ofProject }),
  publicEvent('project.deleted', { summary: 'A project was deleted', from: ProjectDeleted, ...ofProject }),
];

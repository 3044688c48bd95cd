import type { Project } from '../domain/project';

/** The columns of a project that responses show. */
export const PROJECT_COLUMNS = ['id', 'name', 'archived', 'createdAt'] as const;

/** The part of a project that responses show. */
export type ProjectDetails = Pick<Project, (typeof PROJECT_COLUMNS)[number]>;

/** Copies what responses show of a project. */
export const projectDetails = ({ id, name, archived, createdAt }: Project): ProjectDetails => ({
  id,
  name,
  archived,
  createdAt,
});

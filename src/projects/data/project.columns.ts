import type { Project } from '../domain/project';

/** The part of a project that answers show. */
export type ProjectDetails = Pick<Project, 'id' | 'name' | 'archived' | 'createdAt'>;

/** The columns of ProjectDetails. */
export const PROJECT_COLUMNS = 'id, name, archived, created_at AS "createdAt"';

/** Copies what answers show of a project. */
export const projectDetails = ({ id, name, archived, createdAt }: Project): ProjectDetails => ({
  id,
  name,
  archived,
  createdAt,
});

import { columnsOf } from '../../platform/database/select-list';
import { Project } from '../domain/project';

const FIELDS = ['id', 'name', 'archived', 'createdAt'] as const;

/** The part of a project that answers show. */
export type ProjectDetails = Pick<Project, (typeof FIELDS)[number]>;

/** The columns of ProjectDetails, of a project `p`. */
export const PROJECT_COLUMNS = columnsOf(Project, 'p', { only: FIELDS });

/** Copies what answers show of a project. */
export const projectDetails = ({ id, name, archived, createdAt }: Project): ProjectDetails => ({
  id,
  name,
  archived,
  createdAt,
});

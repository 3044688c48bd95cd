import type { Database } from '../database/database';
import { JOB_STATE, JOB_STATES, type JobState } from './job-states';

/** The number of jobs of a task in each state. */
export interface JobQueue extends Readonly<Record<JobState, number>> {
  readonly task: string;
}

const COUNTS = JOB_STATES.map((state) => `(count(*) FILTER (WHERE state = '${state}'))::int AS ${state}`).join(', ');
const QUEUES = `
  SELECT t.identifier AS task, ${JOB_STATES.join(', ')} FROM (
    SELECT task_id, ${COUNTS} FROM (SELECT task_id, ${JOB_STATE} AS state FROM graphile_worker._private_jobs) j
      GROUP BY task_id) q
    JOIN graphile_worker._private_tasks t ON t.id = q.task_id ORDER BY t.identifier COLLATE "C"`;

/** Counts the jobs of each task by state, ordered by task. Reads the primary. */
export const readJobQueues = (database: Database): Promise<JobQueue[]> => database.query<JobQueue>(QUEUES, []);

/** The number of jobs of all tasks in each state. */
export function jobsByState(queues: readonly JobQueue[]): Record<JobState, number> {
  const sum = (state: JobState) => queues.reduce((total, queue) => total + queue[state], 0);
  return { waiting: sum('waiting'), running: sum('running'), retrying: sum('retrying'), dead: sum('dead') };
}

import type { Schemas } from '@tenantry/client';
import { listAt, TextLink } from '../components/links';
import { DataRows } from '../components/data-rows';
import { labelOf } from '../labels';
import { JOB_STATES } from './job-state-counts';

type Queue = Schemas['JobQueueView'];

interface QueueTableProps {
  readonly rows: readonly Queue[] | undefined;
  readonly error: unknown;
  readonly retry: () => void;
}

/** The number of jobs per task and status; each is a link to the list of these jobs. */
export const QueueTable = (props: QueueTableProps) => (
  <DataRows
    {...props}
    keyOf={({ task }) => task}
    empty="No jobs in the queue."
    numbers={JOB_STATES.map(labelOf)}
    columns={{
      Task: ({ task }) => <TextLink to={listAt('jobs', { task })}>{task}</TextLink>,
      ...Object.fromEntries(
        JOB_STATES.map((state) => [
          labelOf(state),
          ({ task, [state]: count }: Queue) =>
            count > 0 ? <TextLink to={listAt('jobs', { task, state })}>{count.toLocaleString()}</TextLink> : '0',
        ]),
      ),
    }}
  />
);

import type { Schemas } from '@tenantry/client';
import { listAt, PlainLink } from '../parts/links';
import { Rows } from '../parts/rows';
import { wordOf } from '../parts/state';
import { JOB_STATES } from './states';

type Queue = Schemas['JobQueueView'];

interface QueuesProps {
  readonly rows: readonly Queue[] | undefined;
  readonly error: unknown;
  readonly retry: () => void;
}

/** How many jobs of each task are in each state; each number leads to them. */
export const Queues = (props: QueuesProps) => (
  <Rows
    {...props}
    keyOf={({ task }) => task}
    empty="The queue is empty: everything is done."
    numbers={JOB_STATES.map(wordOf)}
    columns={{
      Task: ({ task }) => <PlainLink to={listAt('jobs', { task })}>{task}</PlainLink>,
      ...Object.fromEntries(
        JOB_STATES.map((state) => [
          wordOf(state),
          ({ task, [state]: count }: Queue) =>
            count > 0 ? <PlainLink to={listAt('jobs', { task, state })}>{count.toLocaleString()}</PlainLink> : '0',
        ]),
      ),
    }}
  />
);

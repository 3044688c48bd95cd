import { Button } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { listAt, TextLink } from '../components/links';
import { api } from '../api';
import { DataRows } from '../components/data-rows';
import { useAction } from '../components/use-action';
import { labelOf } from '../labels';
import { JOB_STATES } from './job-state-counts';

type Queue = Schemas['JobQueueView'];

interface QueueTableProps {
  readonly rows: readonly Queue[] | undefined;
  readonly error: unknown;
  readonly retry: () => void;
}

/** Retries the failed jobs of a task, for example after an outage of the mail server. */
const RetryAllButton = ({ task, onDone }: { readonly task: string; readonly onDone: () => void }) => {
  const { act, isBusy } = useAction();
  const run = async () => {
    const retry = () => api.POST('/admin/jobs/retry-all', { body: { task } });
    if (await act(retry, ({ count }) => `${count.toLocaleString()} scheduled for retry within a minute.`)) onDone();
  };
  return (
    <Button
      size="small"
      loading={isBusy}
      aria-label={`Retry all failed jobs of ${task}`}
      onClick={() => {
        void run();
      }}
    >
      Retry all
    </Button>
  );
};

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
      'Failed jobs': ({ task, retrying, dead }) =>
        retrying + dead > 0 ? <RetryAllButton task={task} onDone={props.retry} /> : null,
    }}
  />
);

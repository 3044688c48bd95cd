import type { Schemas } from '@tenantry/client';
import { DataTable, SelectInput } from 'react-admin';
import { TextLink, recordAt } from '../components/links';
import { ListPage } from '../components/list-page';
import { Timestamp } from '../components/timestamp';
import { LIVE_MS } from '../components/use-api-query';
import { StatusChip } from '../components/status-chip';
import { labelOf } from '../labels';
import { DeleteSelectedButton, RetrySelectedButton } from './job-bulk-actions';
import { QueueDashboard } from './queue-dashboard';
import { TaskFilter } from './task-filter';
import { JOB_STATES } from './job-state-counts';

type Job = Schemas['JobView'];

const FILTERS = (
  <>
    <SelectInput
      source="state"
      label="Status"
      choices={JOB_STATES.map((id) => ({ id, name: labelOf(id) }))}
      emptyText="Any"
      helperText={false}
    />
    <TaskFilter />
  </>
);

const BULK = (
  <>
    <RetrySelectedButton />
    <DeleteSelectedButton />
  </>
);

/** The job queue. */
const JobList = () => (
  <ListPage<Job>
    title="Jobs"
    above={<QueueDashboard />}
    filters={FILTERS}
    everyMs={LIVE_MS}
    bulk={BULK}
    empty={['No jobs in the queue.', 'No results.']}
    card={(job) => ({
      to: recordAt('jobs', job.id),
      title: job.task,
      state: <StatusChip state={job.state} />,
      lines: (
        <>
          {job.attempts} of {job.maxAttempts} attempts · due <Timestamp at={job.runAt} />
          {job.error && ` · ${firstLine(job.error)}`}
        </>
      ),
    })}
  >
    <DataTable.Col
      disableSort
      label="Task"
      render={(job: Job) => <TextLink to={recordAt('jobs', job.id)}>{job.task}</TextLink>}
    />
    <DataTable.Col disableSort label="Status" render={(job: Job) => <StatusChip state={job.state} />} />
    <DataTable.Col disableSort label="Attempts" render={(job: Job) => `${job.attempts} of ${job.maxAttempts}`} />
    <DataTable.Col disableSort label="Due" render={(job: Job) => <Timestamp at={job.runAt} />} />
    <DataTable.Col disableSort label="Created" render={(job: Job) => <Timestamp at={job.createdAt} />} />
    <DataTable.Col disableSort label="Error" render={(job: Job) => (job.error ? firstLine(job.error) : '–')} />
  </ListPage>
);

const firstLine = (error: string) => error.split('\n', 1)[0];

export default JobList;

import type { Schemas } from '@tenantry/client';
import { DataTable, SelectInput, TextInput } from 'react-admin';
import { PlainLink, recordAt } from '../parts/links';
import { Listing } from '../parts/listing';
import { Moment } from '../parts/moment';
import { LIVE_MS } from '../parts/reading';
import { StateChip, wordOf } from '../parts/state';
import { DeleteSelected, RetrySelected } from './bulk';
import { Dashboard } from './dashboard';
import { JOB_STATES } from './states';

type Job = Schemas['JobView'];

const FILTERS = (
  <>
    <SelectInput
      source="state"
      label="State"
      choices={JOB_STATES.map((id) => ({ id, name: wordOf(id) }))}
      emptyText="Any"
      helperText={false}
    />
    <TextInput source="task" label="Task" placeholder="send-link-mail" helperText={false} />
  </>
);

const BULK = (
  <>
    <RetrySelected />
    <DeleteSelected />
  </>
);

/** The queue: how it goes, and what is in it. */
const Jobs = () => (
  <Listing<Job>
    title="Jobs"
    above={<Dashboard />}
    filters={FILTERS}
    everyMs={LIVE_MS}
    bulk={BULK}
    empty={['The queue is empty: everything is done.', 'There is no such job.']}
    card={(job) => ({
      to: recordAt('jobs', job.id),
      title: job.task,
      state: <StateChip state={job.state} />,
      lines: (
        <>
          {job.attempts} of {job.maxAttempts} attempts · due <Moment at={job.runAt} />
          {job.error && ` · ${firstLine(job.error)}`}
        </>
      ),
    })}
  >
    <DataTable.Col
      disableSort
      label="Task"
      render={(job: Job) => <PlainLink to={recordAt('jobs', job.id)}>{job.task}</PlainLink>}
    />
    <DataTable.Col disableSort label="State" render={(job: Job) => <StateChip state={job.state} />} />
    <DataTable.Col disableSort label="Attempts" render={(job: Job) => `${job.attempts} of ${job.maxAttempts}`} />
    <DataTable.Col disableSort label="Due" render={(job: Job) => <Moment at={job.runAt} />} />
    <DataTable.Col disableSort label="Made" render={(job: Job) => <Moment at={job.createdAt} />} />
    <DataTable.Col disableSort label="Error" render={(job: Job) => (job.error ? firstLine(job.error) : '–')} />
  </Listing>
);

const firstLine = (error: string) => error.split('\n', 1)[0];

export default Jobs;

import type { Schemas } from '@tenantry/client';
import { Code } from '../parts/code';
import { Detail } from '../parts/detail';
import { Fact, Facts } from '../parts/facts';
import { Heading } from '../parts/heading';
import { Moment } from '../parts/moment';
import { LIVE_MS } from '../parts/reading';
import { Columns, Section } from '../parts/section';
import { StateChip } from '../parts/state';
import { DeleteJob, RetryJob } from './actions';

/** A job, what it is for, and why it failed. */
const Job = () => (
  <Detail<Schemas['JobView']>
    list="Jobs"
    everyMs={LIVE_MS}
    gone="This job is not in the queue any more: it is done, or was deleted."
  >
    {(job) => (
      <>
        <Heading
          title={`${job.task} ${job.id}`}
          within={{ to: '/jobs', name: 'Jobs' }}
          beside={<StateChip state={job.state} />}
        >
          <RetryJob job={job} />
          <DeleteJob job={job} />
        </Heading>
        <Columns>
          <Section title="Job">
            <Facts>
              <Fact name="Attempts">{`${job.attempts} of ${job.maxAttempts}`}</Fact>
              <Fact name="Due">
                <Moment at={job.runAt} full />
              </Fact>
              <Fact name="Made">
                <Moment at={job.createdAt} full />
              </Fact>
              <Fact name="Worked since">{job.startedAt && <Moment at={job.startedAt} full />}</Fact>
              <Fact name="Key">{job.key}</Fact>
              <Fact name="Request that caused it">{job.requestId}</Fact>
            </Facts>
          </Section>
          <Section title="Command">
            <Code label="Command">{job.command}</Code>
          </Section>
        </Columns>
        {job.error && (
          <Section title="Error of the last attempt">
            <Code label="Error of the last attempt">{job.error}</Code>
          </Section>
        )}
      </>
    )}
  </Detail>
);

export default Job;

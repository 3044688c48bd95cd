import type { Schemas } from '@tenantry/client';
import { CodeBlock } from '../components/code-block';
import { DetailPage } from '../components/detail-page';
import { Field, FieldList } from '../components/field-list';
import { PageHeader } from '../components/page-header';
import { Timestamp } from '../components/timestamp';
import { LIVE_MS } from '../components/use-api-query';
import { Columns, Section } from '../components/section';
import { StatusChip } from '../components/status-chip';
import { DeleteJobButton, RetryJobButton } from './job-actions';

/** A job, what it is for, and why it failed. */
const JobDetail = () => (
  <DetailPage<Schemas['JobView']>
    list="Jobs"
    everyMs={LIVE_MS}
    gone="This job is not in the queue any more: it is done, or was deleted."
  >
    {(job) => (
      <>
        <PageHeader
          title={`${job.task} ${job.id}`}
          within={{ to: '/jobs', name: 'Jobs' }}
          beside={<StatusChip state={job.state} />}
        >
          <RetryJobButton job={job} />
          <DeleteJobButton job={job} />
        </PageHeader>
        <Columns>
          <Section title="Job">
            <FieldList>
              <Field name="Attempts">{`${job.attempts} of ${job.maxAttempts}`}</Field>
              <Field name="Due">
                <Timestamp at={job.runAt} full />
              </Field>
              <Field name="Made">
                <Timestamp at={job.createdAt} full />
              </Field>
              <Field name="Worked since">{job.startedAt && <Timestamp at={job.startedAt} full />}</Field>
              <Field name="Key">{job.key}</Field>
              <Field name="Request that caused it">{job.requestId}</Field>
            </FieldList>
          </Section>
          <Section title="Command">
            <CodeBlock label="Command">{job.command}</CodeBlock>
          </Section>
        </Columns>
        {job.error && (
          <Section title="Error of the last attempt">
            <CodeBlock label="Error of the last attempt">{job.error}</CodeBlock>
          </Section>
        )}
      </>
    )}
  </DetailPage>
);

export default JobDetail;

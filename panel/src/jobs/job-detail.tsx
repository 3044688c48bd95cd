import type { Schemas } from '@tenantry/client';
import { CodeBlock } from '../components/code-block';
import { DetailPage } from '../components/detail-page';
import { Field, FieldList } from '../components/field-list';
import { IdField } from '../components/copyable-field';
import { PageHeader } from '../components/page-header';
import { Timestamp } from '../components/timestamp';
import { LIVE_MS } from '../components/use-api-query';
import { Columns, Section } from '../components/section';
import { StatusChip } from '../components/status-chip';
import { DeleteJobButton, RetryJobButton } from './job-actions';

/** A job with its command and its last error. */
const JobDetail = () => (
  <DetailPage<Schemas['JobView']>
    list="Jobs"
    noun="Job"
    everyMs={LIVE_MS}
    missing="This job is no longer in the queue. It has finished or was deleted."
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
              <Field name="Created">
                <Timestamp at={job.createdAt} full />
              </Field>
              <Field name="Started">{job.startedAt && <Timestamp at={job.startedAt} full />}</Field>
              <Field name="Key">{job.key}</Field>
              <IdField name="Request ID" id={job.requestId} />
            </FieldList>
          </Section>
          <Section title="Command">
            <CodeBlock label="Command">{job.command}</CodeBlock>
          </Section>
        </Columns>
        {job.error && (
          <Section title="Last error">
            <CodeBlock label="Last error">{job.error}</CodeBlock>
          </Section>
        )}
      </>
    )}
  </DetailPage>
);

export default JobDetail;

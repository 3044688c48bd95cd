import type { Schemas } from '@tenantry/client';
import { CodeBlock } from '../components/code-block';
import { DetailPage } from '../components/detail-page';
import { Field, FieldList } from '../components/field-list';
import { IdField } from '../components/copyable-field';
import { PageHeader } from '../components/page-header';
import { RecordLink } from '../components/links';
import { Timestamp } from '../components/timestamp';
import { Columns, Section } from '../components/section';
import { StatusChip } from '../components/status-chip';
import { ReplayButton } from './replay-button';

/** A webhook event of Stripe: its delivery, its result and its payload. */
const WebhookEventDetail = () => (
  <DetailPage<Schemas['WebhookEventDetailView']> list="Stripe events" noun="Stripe event">
    {(event) => (
      <>
        <PageHeader
          title={event.type}
          within={{ to: '/webhook-events', name: 'Stripe events' }}
          beside={<StatusChip state={event.status} />}
        >
          <ReplayButton event={event} />
        </PageHeader>
        <Columns>
          <Section title="Delivery">
            <FieldList>
              <Field name="Tenant">
                <RecordLink resource="tenants" id={event.tenantId} />
              </Field>
              <Field name="Created in Stripe">
                <Timestamp at={event.createdAt} full />
              </Field>
              <Field name="Received">
                <Timestamp at={event.receivedAt} full />
              </Field>
              <Field name="Attempts">{event.attempts}</Field>
              <IdField name="Stripe event ID" id={event.eventId} />
              <IdField name="ID" id={event.id} />
            </FieldList>
          </Section>
          {event.error && (
            <Section title="Error">
              <CodeBlock label="Error">{event.error}</CodeBlock>
            </Section>
          )}
        </Columns>
        <Section title="Payload">
          <CodeBlock label="Payload">{event.payload}</CodeBlock>
        </Section>
      </>
    )}
  </DetailPage>
);

export default WebhookEventDetail;

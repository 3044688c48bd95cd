import type { Schemas } from '@tenantry/client';
import { IdField } from '../components/copyable-field';
import { DetailPage } from '../components/detail-page';
import { Field, FieldList } from '../components/field-list';
import { RecordLink } from '../components/links';
import { PageHeader } from '../components/page-header';
import { Columns, Section } from '../components/section';
import { StatusChip } from '../components/status-chip';
import { Timestamp } from '../components/timestamp';
import { DeliverySection } from './delivery-section';
import { EndpointAccessButton } from './endpoint-access-button';
import { REASONS, stateOf } from './endpoint-state';

/** A webhook endpoint of a tenant: its state and what was sent last, without contents. */
const WebhookEndpointDetail = () => (
  <DetailPage<Schemas['AdminWebhookEndpointDetailView']> list="Webhook endpoints" noun="Webhook endpoint">
    {(endpoint) => (
      <>
        <PageHeader
          title={endpoint.host}
          within={{ to: '/webhook-endpoints', name: 'Webhook endpoints' }}
          beside={<StatusChip state={stateOf(endpoint)} />}
        >
          <EndpointAccessButton endpoint={endpoint} />
        </PageHeader>
        <Columns>
          <Section title="Endpoint">
            <FieldList>
              <Field name="Tenant">
                <RecordLink resource="tenants" id={endpoint.tenantId} />
              </Field>
              <Field name="Description">{endpoint.description || null}</Field>
              <Field name="Created">
                <Timestamp at={endpoint.createdAt} full />
              </Field>
              <IdField name="ID" id={endpoint.id} />
            </FieldList>
          </Section>
          <Section title="State">
            <FieldList>
              <Field name="Failing since">
                {endpoint.failingSince && <Timestamp at={endpoint.failingSince} full />}
              </Field>
              <Field name="Failures since the last success">{endpoint.failures}</Field>
              <Field name="Waiting deliveries">{endpoint.waiting}</Field>
              <Field name="Answers">{endpoint.isSlow ? 'Slowly: one request at a time' : 'In time'}</Field>
              <Field name="Disabled">{endpoint.disabledAt && <Timestamp at={endpoint.disabledAt} full />}</Field>
              <Field name="Why">{endpoint.disabledWhy && REASONS[endpoint.disabledWhy]}</Field>
            </FieldList>
          </Section>
        </Columns>
        <DeliverySection endpoint={endpoint.id} />
      </>
    )}
  </DetailPage>
);

export default WebhookEndpointDetail;

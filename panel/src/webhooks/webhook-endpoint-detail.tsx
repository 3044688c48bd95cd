import type { Schemas } from '@tenantry/client';
import { api } from '../api';
import { DetailPage } from '../components/detail-page';
import { Field } from '../components/field-list';
import { PageHeader } from '../components/page-header';
import { StatusChip } from '../components/status-chip';
import { ReceiverAccessButton } from '../receivers/receiver-access-button';
import { ReceiverSections } from '../receivers/receiver-sections';
import { stateOf } from '../receivers/receiver-state';
import { DeliverySection } from './delivery-section';

type Endpoint = Schemas['AdminWebhookEndpointDetailView'];

/** A webhook endpoint of a tenant: its state and what was sent last, without contents. */
const WebhookEndpointDetail = () => (
  <DetailPage<Endpoint> list="Webhook endpoints" noun="Webhook endpoint">
    {(endpoint) => (
      <>
        <PageHeader
          title={endpoint.host}
          within={{ to: '/webhook-endpoints', name: 'Webhook endpoints' }}
          beside={<StatusChip state={stateOf(endpoint)} />}
        >
          <AccessButton endpoint={endpoint} />
        </PageHeader>
        <ReceiverSections receiver={endpoint} title="Endpoint">
          <Field name="Waiting deliveries">{endpoint.waiting}</Field>
          <Field name="Answers">{endpoint.isSlow ? 'Slowly: one request at a time' : 'In time'}</Field>
        </ReceiverSections>
        <DeliverySection endpoint={endpoint.id} />
      </>
    )}
  </DetailPage>
);

const AccessButton = ({ endpoint }: { endpoint: Endpoint }) => {
  const params = { path: { id: endpoint.id } };
  return (
    <ReceiverAccessButton
      receiver={endpoint}
      noun="endpoint"
      enable={() => api.POST('/admin/webhook-endpoints/{id}/enable', { params })}
      disable={(body) => api.POST('/admin/webhook-endpoints/{id}/disable', { params, body })}
      enabling="New events are sent to it. The tenant can replay what was not sent."
      disabling="It gets nothing, the Owner is told, and members cannot enable it. Nothing is deleted."
    />
  );
};

export default WebhookEndpointDetail;

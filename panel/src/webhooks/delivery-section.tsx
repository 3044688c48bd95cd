import type { Schemas } from '@tenantry/client';
import { api } from '../api';
import { DataRows } from '../components/data-rows';
import { listAt, TextLink } from '../components/links';
import { Section } from '../components/section';
import { StatusChip } from '../components/status-chip';
import { Timestamp } from '../components/timestamp';
import { useApiPages } from '../components/use-api-query';
import { LastAttempt } from './last-attempt';

/** The newest deliveries to a webhook endpoint. */
export const DeliverySection = ({ endpoint }: { endpoint: string }) => {
  const deliveries = useApiPages(['delivery-rows', endpoint], (cursor) =>
    api.GET('/admin/webhook-deliveries', { params: { query: { endpoint, limit: 10, cursor } } }),
  );
  return (
    <Section
      title="Webhook deliveries"
      flush
      aside={<TextLink to={listAt('webhook-deliveries', { endpoint })}>View all</TextLink>}
    >
      <DataRows<Schemas['AdminWebhookDeliveryView']>
        {...deliveries}
        keyOf={({ id }) => id}
        empty="Nothing was sent in the last 30 days."
        columns={{
          Created: ({ createdAt }) => <Timestamp at={createdAt} />,
          Event: ({ type }) => type,
          State: ({ state }) => <StatusChip state={state} />,
          Attempts: ({ attempt }) => attempt,
          'Last attempt': ({ lastAttempt }) => <LastAttempt attempt={lastAttempt} />,
        }}
        numbers={['Attempts']}
      />
    </Section>
  );
};

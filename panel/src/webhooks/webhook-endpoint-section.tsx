import type { Schemas } from '@tenantry/client';
import { api } from '../api';
import { DataRows } from '../components/data-rows';
import { listAt, recordAt, TextLink } from '../components/links';
import { Section } from '../components/section';
import { StatusChip } from '../components/status-chip';
import { useApiPages } from '../components/use-api-query';
import { stateOf } from '../receivers/receiver-state';

/** The webhook endpoints of a tenant. */
export const WebhookEndpointSection = ({ tenant }: { tenant: string }) => {
  const endpoints = useApiPages(['endpoint-rows', tenant], (cursor) =>
    api.GET('/admin/webhook-endpoints', { params: { query: { tenant, limit: 6, cursor } } }),
  );
  return (
    <Section
      title="Webhook endpoints"
      flush
      aside={<TextLink to={listAt('webhook-deliveries', { tenant })}>View deliveries</TextLink>}
    >
      <DataRows<Schemas['AdminWebhookEndpointView']>
        {...endpoints}
        keyOf={({ id }) => id}
        empty="No webhook endpoints yet."
        columns={{
          Host: ({ id, host }) => <TextLink to={recordAt('webhook-endpoints', id)}>{host}</TextLink>,
          Description: ({ description }) => description,
          State: (endpoint) => <StatusChip state={stateOf(endpoint)} />,
        }}
      />
    </Section>
  );
};

import type { Schemas } from '@tenantry/client';
import { listAt, TextLink, recordAt } from '../components/links';
import { Timestamp } from '../components/timestamp';
import { useApiPages } from '../components/use-api-query';
import { DataRows } from '../components/data-rows';
import { Section } from '../components/section';
import { StatusChip } from '../components/status-chip';
import { api } from '../api';

/** The newest webhook events of a tenant. */
export const WebhookEventSection = ({ tenant }: { tenant: string }) => {
  const events = useApiPages(['event-rows', tenant], (cursor) =>
    api.GET('/admin/webhook-events', { params: { query: { tenant, limit: 6, cursor } } }),
  );
  return (
    <Section
      title="Stripe events"
      flush
      aside={<TextLink to={listAt('webhook-events', { tenant })}>View all</TextLink>}
    >
      <DataRows<Schemas['WebhookEventView']>
        {...events}
        keyOf={({ id }) => id}
        empty="No events yet."
        columns={{
          Received: ({ receivedAt }) => <Timestamp at={receivedAt} />,
          Type: ({ id, type }) => <TextLink to={recordAt('webhook-events', id)}>{type}</TextLink>,
          Status: ({ status }) => <StatusChip state={status} />,
        }}
      />
    </Section>
  );
};

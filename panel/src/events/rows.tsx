import type { Schemas } from '@tenantry/client';
import { listAt, PlainLink, recordAt } from '../parts/links';
import { Moment } from '../parts/moment';
import { useMore } from '../parts/reading';
import { Rows } from '../parts/rows';
import { Section } from '../parts/section';
import { StateChip } from '../parts/state';
import { api } from '../session';

/** The last events of the processor about a tenant. */
export const EventRows = ({ tenant }: { tenant: string }) => {
  const events = useMore(['event-rows', tenant], (cursor) =>
    api.GET('/admin/webhook-events', { params: { query: { tenant, limit: 6, cursor } } }),
  );
  return (
    <Section
      title="Webhook events"
      flush
      aside={<PlainLink to={listAt('webhook-events', { tenant })}>All of them</PlainLink>}
    >
      <Rows<Schemas['WebhookEventView']>
        {...events}
        keyOf={({ id }) => id}
        empty="The processor has told nothing of this tenant."
        columns={{
          Received: ({ receivedAt }) => <Moment at={receivedAt} />,
          Type: ({ id, type }) => <PlainLink to={recordAt('webhook-events', id)}>{type}</PlainLink>,
          Status: ({ status }) => <StateChip state={status} />,
        }}
      />
    </Section>
  );
};

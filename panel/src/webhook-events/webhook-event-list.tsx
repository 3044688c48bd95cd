import type { Schemas } from '@tenantry/client';
import { DataTable, SelectInput, TextInput } from 'react-admin';
import { TextLink, recordAt, RecordLink } from '../components/links';
import { ListPage } from '../components/list-page';
import { Timestamp } from '../components/timestamp';
import { StatusChip } from '../components/status-chip';
import { labelOf } from '../labels';

type Event = Schemas['WebhookEventView'];

const STATUSES = ['processed', 'ignored', 'failed', 'needs-attention'].map((id) => ({ id, name: labelOf(id) }));

const FILTERS = (
  <>
    <SelectInput source="status" label="Status" choices={STATUSES} emptyText="Any" helperText={false} />
    <TextInput source="type" label="Type" placeholder="invoice.payment_failed" helperText={false} />
    <TextInput source="tenant" label="Tenant (id)" helperText={false} />
  </>
);

/** What the processor has told, the last first. */
const WebhookEventList = () => (
  <ListPage<Event>
    title="Webhook events"
    filters={FILTERS}
    empty={['The payment processor has told nothing yet.', 'There is no such event.']}
    card={(event) => ({
      to: recordAt('webhook-events', event.id),
      title: event.type,
      state: <StatusChip state={event.status} />,
      lines: (
        <>
          <Timestamp at={event.receivedAt} /> · {event.error ?? event.eventId}
        </>
      ),
    })}
  >
    <DataTable.Col disableSort label="Received" render={(event: Event) => <Timestamp at={event.receivedAt} />} />
    <DataTable.Col
      disableSort
      label="Type"
      render={(event: Event) => <TextLink to={recordAt('webhook-events', event.id)}>{event.type}</TextLink>}
    />
    <DataTable.Col disableSort label="Status" render={(event: Event) => <StatusChip state={event.status} />} />
    <DataTable.Col
      disableSort
      label="Tenant"
      render={(event: Event) => <RecordLink resource="tenants" id={event.tenantId} />}
    />
    <DataTable.NumberCol disableSort source="attempts" />
    <DataTable.Col disableSort label="Error" render={(event: Event) => event.error ?? '–'} />
  </ListPage>
);

export default WebhookEventList;

import type { Schemas } from '@tenantry/client';
import { DataTable, SelectInput, TextInput } from 'react-admin';
import { PlainLink, recordAt, Reference } from '../parts/links';
import { Listing } from '../parts/listing';
import { Moment } from '../parts/moment';
import { StateChip, wordOf } from '../parts/state';

type Event = Schemas['WebhookEventView'];

const STATUSES = ['processed', 'ignored', 'failed', 'needs-attention'].map((id) => ({ id, name: wordOf(id) }));

const FILTERS = (
  <>
    <SelectInput source="status" label="Status" choices={STATUSES} emptyText="Any" helperText={false} />
    <TextInput source="type" label="Type" placeholder="invoice.payment_failed" helperText={false} />
    <TextInput source="tenant" label="Tenant (id)" helperText={false} />
  </>
);

/** What the processor has told, the last first. */
const Events = () => (
  <Listing<Event>
    title="Webhook events"
    filters={FILTERS}
    empty={['The payment processor has told nothing yet.', 'There is no such event.']}
    card={(event) => ({
      to: recordAt('webhook-events', event.id),
      title: event.type,
      state: <StateChip state={event.status} />,
      lines: (
        <>
          <Moment at={event.receivedAt} /> · {event.error ?? event.eventId}
        </>
      ),
    })}
  >
    <DataTable.Col disableSort label="Received" render={(event: Event) => <Moment at={event.receivedAt} />} />
    <DataTable.Col
      disableSort
      label="Type"
      render={(event: Event) => <PlainLink to={recordAt('webhook-events', event.id)}>{event.type}</PlainLink>}
    />
    <DataTable.Col disableSort label="Status" render={(event: Event) => <StateChip state={event.status} />} />
    <DataTable.Col
      disableSort
      label="Tenant"
      render={(event: Event) => <Reference resource="tenants" id={event.tenantId} />}
    />
    <DataTable.NumberCol disableSort source="attempts" />
    <DataTable.Col disableSort label="Error" render={(event: Event) => event.error ?? '–'} />
  </Listing>
);

export default Events;

import type { Schemas } from '@tenantry/client';
import { DataTable, SelectInput } from 'react-admin';
import { BreakableName } from '../components/breakable-name';
import { TextLink, recordAt, RecordLink } from '../components/links';
import { ListPage } from '../components/list-page';
import { Timestamp } from '../components/timestamp';
import { StatusChip } from '../components/status-chip';
import { RecordFilter } from '../filters/record-filter';
import { SuggestionFilter } from '../filters/suggestion-filter';
import { labelOf } from '../labels';
import { WEBHOOK_EVENT_TYPES } from './webhook-event-types';

type Event = Schemas['WebhookEventView'];

const STATUSES = ['processed', 'ignored', 'failed', 'needs-attention'].map((id) => ({ id, name: labelOf(id) }));

const FILTERS = (
  <>
    <SelectInput source="status" label="Status" choices={STATUSES} emptyText="Any" helperText={false} />
    <SuggestionFilter source="type" label="Type" options={WEBHOOK_EVENT_TYPES} isPartial />
    <RecordFilter source="tenant" label="Tenant" resources={['tenants']} />
  </>
);

/** Webhook events of Stripe, newest first. */
const WebhookEventList = () => (
  <ListPage<Event>
    title="Stripe events"
    filters={FILTERS}
    empty={['No events yet.', 'No results.']}
    card={(event) => ({
      to: recordAt('webhook-events', event.id),
      title: <BreakableName name={event.type} />,
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

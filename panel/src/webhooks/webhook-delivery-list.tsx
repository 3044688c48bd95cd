import type { Schemas } from '@tenantry/client';
import { DataTable, SelectInput, TextInput } from 'react-admin';
import { recordAt, RecordLink, shortId, TextLink } from '../components/links';
import { ListPage } from '../components/list-page';
import { StatusChip } from '../components/status-chip';
import { Timestamp } from '../components/timestamp';
import { RecordFilter } from '../filters/record-filter';
import { labelOf } from '../labels';
import { LastAttempt } from './last-attempt';

type Delivery = Schemas['AdminWebhookDeliveryView'];

const STATES = (['due', 'delivered', 'failed'] as const).map((id) => ({ id, name: labelOf(id) }));

const FILTERS = (
  <>
    <SelectInput source="state" label="State" choices={STATES} emptyText="Any" helperText={false} />
    <RecordFilter source="tenant" label="Tenant" resources={['tenants']} />
    <TextInput source="endpoint" label="Endpoint ID" helperText={false} />
  </>
);

/** Deliveries to webhook endpoints of all tenants, newest first, without what was sent. */
const WebhookDeliveryList = () => (
  <ListPage<Delivery>
    title="Webhook deliveries"
    filters={FILTERS}
    isExported={false}
    rowClick={false}
    empty={['Nothing was sent in the last 30 days.', 'No results.']}
    card={(delivery) => ({
      title: delivery.type,
      state: <StatusChip state={delivery.state} />,
      lines: (
        <>
          <Timestamp at={delivery.createdAt} /> to <EndpointLink id={delivery.endpointId} /> of{' '}
          <RecordLink resource="tenants" id={delivery.tenantId} /> · <LastAttempt attempt={delivery.lastAttempt} />
        </>
      ),
    })}
  >
    <DataTable.Col disableSort label="Created" render={(delivery: Delivery) => <Timestamp at={delivery.createdAt} />} />
    <DataTable.Col disableSort label="Event" source="type" />
    <DataTable.Col disableSort label="State" render={(delivery: Delivery) => <StatusChip state={delivery.state} />} />
    <DataTable.Col
      disableSort
      label="Tenant"
      render={(delivery: Delivery) => <RecordLink resource="tenants" id={delivery.tenantId} />}
    />
    <DataTable.Col
      disableSort
      label="Endpoint"
      render={(delivery: Delivery) => <EndpointLink id={delivery.endpointId} />}
    />
    <DataTable.NumberCol disableSort source="attempt" label="Attempts" />
    <DataTable.Col
      disableSort
      label="Last attempt"
      render={(delivery: Delivery) => <LastAttempt attempt={delivery.lastAttempt} />}
    />
    <DataTable.Col
      disableSort
      label="Next attempt"
      render={(delivery: Delivery) => <Timestamp at={delivery.nextAt} />}
    />
  </ListPage>
);

const EndpointLink = ({ id }: { id: string }) => (
  <TextLink to={recordAt('webhook-endpoints', id)}>{shortId(id)}</TextLink>
);

export default WebhookDeliveryList;

import type { Schemas } from '@tenantry/client';
import { DataTable, SelectInput } from 'react-admin';
import { BreakableName } from '../components/breakable-name';
import { recordAt, RecordLink, TextLink } from '../components/links';
import { ListPage } from '../components/list-page';
import { StatusChip } from '../components/status-chip';
import { Timestamp } from '../components/timestamp';
import { RecordFilter } from '../filters/record-filter';
import { REASONS, stateOf } from './endpoint-state';

type Endpoint = Schemas['AdminWebhookEndpointView'];

const STATES = [
  { id: 'unhealthy', name: 'Failing or disabled' },
  { id: 'failing', name: 'Failing' },
  { id: 'disabled', name: 'Disabled' },
];

const FILTERS = (
  <>
    <SelectInput source="state" label="State" choices={STATES} emptyText="Any" helperText={false} />
    <RecordFilter source="tenant" label="Tenant" resources={['tenants']} />
  </>
);

/** Webhook endpoints of tenants, newest first; at first those that fail or are disabled. */
const WebhookEndpointList = () => (
  <ListPage<Endpoint>
    title="Webhook endpoints"
    filters={FILTERS}
    initial={{ state: 'unhealthy' }}
    isExported={false}
    empty={['No webhook endpoints yet.', 'No webhook endpoint matches the filters.']}
    card={(endpoint) => ({
      to: recordAt('webhook-endpoints', endpoint.id),
      title: <BreakableName name={endpoint.host} />,
      state: <StatusChip state={stateOf(endpoint)} />,
      lines: (
        <>
          {endpoint.description && `${endpoint.description} · `}
          <Trouble endpoint={endpoint} />
        </>
      ),
    })}
  >
    <DataTable.Col
      disableSort
      label="Host"
      render={(endpoint: Endpoint) => (
        <TextLink to={recordAt('webhook-endpoints', endpoint.id)}>{endpoint.host}</TextLink>
      )}
    />
    <DataTable.Col
      disableSort
      label="State"
      render={(endpoint: Endpoint) => <StatusChip state={stateOf(endpoint)} />}
    />
    <DataTable.Col
      disableSort
      label="Tenant"
      render={(endpoint: Endpoint) => <RecordLink resource="tenants" id={endpoint.tenantId} />}
    />
    <DataTable.Col disableSort source="description" />
    <DataTable.Col disableSort label="Since" render={(endpoint: Endpoint) => <Trouble endpoint={endpoint} />} />
    <DataTable.NumberCol disableSort source="failures" />
    <DataTable.Col disableSort label="Created" render={(endpoint: Endpoint) => <Timestamp at={endpoint.createdAt} />} />
  </ListPage>
);

/** Since when an endpoint fails, or is disabled and why. */
const Trouble = ({ endpoint: { disabledAt, disabledWhy, failingSince } }: { endpoint: Endpoint }) => (
  <>
    {disabledAt || failingSince ? <Timestamp at={disabledAt ?? failingSince} /> : '–'}
    {disabledWhy && ` (${REASONS[disabledWhy].toLowerCase()})`}
  </>
);

export default WebhookEndpointList;

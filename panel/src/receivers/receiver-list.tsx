import { DataTable, SelectInput } from 'react-admin';
import { BreakableName } from '../components/breakable-name';
import { recordAt, RecordLink, TextLink } from '../components/links';
import { ListPage } from '../components/list-page';
import { StatusChip } from '../components/status-chip';
import { Timestamp } from '../components/timestamp';
import { RecordFilter } from '../filters/record-filter';
import { REASONS, type Receiver, stateOf } from './receiver-state';

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

interface ReceiverListProps<Item extends Receiver> {
  readonly title: string;
  readonly resource: 'webhook-endpoints' | 'audit-streams';
  /** The text of an empty list: without filters, and with some. */
  readonly empty: readonly [string, string];
  /** A column of the kind: its label, and its cell. */
  readonly column?: readonly [label: string, cell: (receiver: Item) => string];
}

/** Receivers of tenants, newest first; at first those that fail or are disabled. */
export const ReceiverList = <Item extends Receiver>({ title, resource, empty, column }: ReceiverListProps<Item>) => (
  <ListPage<Item>
    title={title}
    filters={FILTERS}
    initial={{ state: 'unhealthy' }}
    isExported={false}
    empty={empty}
    card={(receiver) => ({
      to: recordAt(resource, receiver.id),
      title: <BreakableName name={receiver.host} />,
      state: <StatusChip state={stateOf(receiver)} />,
      lines: (
        <>
          {[receiver.description || 'No description', column?.[1](receiver)].filter(Boolean).join(' · ')}
          {stateOf(receiver) !== 'healthy' && (
            <>
              {' · '}
              <Trouble receiver={receiver} />
            </>
          )}
        </>
      ),
    })}
  >
    <DataTable.Col
      disableSort
      label="Host"
      render={(receiver: Item) => <TextLink to={recordAt(resource, receiver.id)}>{receiver.host}</TextLink>}
    />
    <DataTable.Col disableSort label="State" render={(receiver: Item) => <StatusChip state={stateOf(receiver)} />} />
    <DataTable.Col
      disableSort
      label="Tenant"
      render={(receiver: Item) => <RecordLink resource="tenants" id={receiver.tenantId} />}
    />
    <DataTable.Col disableSort source="description" />
    {column && <DataTable.Col disableSort label={column[0]} render={column[1]} />}
    <DataTable.Col disableSort label="Since" render={(receiver: Item) => <Trouble receiver={receiver} />} />
    <DataTable.NumberCol disableSort source="failures" />
    <DataTable.Col disableSort label="Created" render={(receiver: Item) => <Timestamp at={receiver.createdAt} />} />
  </ListPage>
);

/** Since when a receiver fails, or is disabled and why. */
const Trouble = ({ receiver: { disabledAt, disabledWhy, failingSince } }: { receiver: Receiver }) => (
  <>
    {disabledAt || failingSince ? <Timestamp at={disabledAt ?? failingSince} /> : '–'}
    {disabledWhy && ` (${REASONS[disabledWhy].toLowerCase()})`}
  </>
);

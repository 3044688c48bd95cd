import type { Schemas } from '@tenantry/client';
import { DataTable, SelectInput } from 'react-admin';
import { RecordLink } from '../components/links';
import { ListPage } from '../components/list-page';
import { StatusChip } from '../components/status-chip';
import { Timestamp } from '../components/timestamp';
import { RecordFilter } from '../filters/record-filter';
import { labelOf } from '../labels';
import { ResetActions } from './reset-actions';
import { ResetDeadline } from './reset-deadline';

type Reset = Schemas['FactorResetView'];

const STATES = ['open', 'requested', 'approved', 'done', 'canceled', 'stopped', 'expired'];

const FILTERS = (
  <>
    <SelectInput
      source="state"
      label="State"
      choices={STATES.map((id) => ({ id, name: labelOf(id) }))}
      emptyText="Any"
      helperText={false}
    />
    <RecordFilter source="user" label="User" resources={['users']} />
  </>
);

/** Requests to reset lost second factors, newest first. */
const FactorResetList = () => (
  <ListPage<Reset>
    title="Second factor resets"
    filters={FILTERS}
    isExported={false}
    rowClick={false}
    empty={['Nobody has lost a second factor. Resets are requested on the page of the user.', 'No results.']}
    card={(reset) => ({
      title: <RecordLink resource="users" id={reset.userId} />,
      state: <StatusChip state={reset.state} />,
      lines: (
        <>
          Requested <Timestamp at={reset.requestedAt} /> by <RecordLink resource="users" id={reset.requestedBy} />
          {' · '}
          <ResetDeadline reset={reset} /> · {reset.reason}
          <ResetActions reset={reset} />
        </>
      ),
    })}
  >
    <DataTable.Col
      disableSort
      label="User"
      render={(reset: Reset) => <RecordLink resource="users" id={reset.userId} />}
    />
    <DataTable.Col disableSort label="State" render={(reset: Reset) => <StatusChip state={reset.state} />} />
    <DataTable.Col disableSort label="Requested" render={(reset: Reset) => <Timestamp at={reset.requestedAt} />} />
    <DataTable.Col
      disableSort
      label="By"
      render={(reset: Reset) => <RecordLink resource="users" id={reset.requestedBy} />}
    />
    <DataTable.Col
      disableSort
      label="Approved by"
      render={(reset: Reset) => <RecordLink resource="users" id={reset.approvedBy} />}
    />
    <DataTable.Col disableSort label="When" render={(reset: Reset) => <ResetDeadline reset={reset} />} />
    <DataTable.Col disableSort source="reason" />
    <DataTable.Col disableSort label="Actions" render={(reset: Reset) => <ResetActions reset={reset} />} />
  </ListPage>
);

export default FactorResetList;

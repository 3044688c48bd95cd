import { AUDIT_ACTIONS, type Schemas } from '@tenantry/client';
import { DataTable, DateTimeInput, useRecordContext } from 'react-admin';
import { Box } from '@mui/material';
import { CodeBlock } from '../components/code-block';
import { CopyableField } from '../components/copyable-field';
import { Field, FieldList } from '../components/field-list';
import { RecordLink } from '../components/links';
import { ListPage, WIDE } from '../components/list-page';
import { Timestamp } from '../components/timestamp';
import { RecordFilter } from '../filters/record-filter';
import { SuggestionFilter } from '../filters/suggestion-filter';
import { AuditActor } from './audit-actor';
import { AuditDetails } from './audit-details';
import { AuditTarget, formerNameOf } from './audit-target';

type Entry = Schemas['AuditEntryView'];

const FILTERS = (
  <>
    <SuggestionFilter source="action" label="Action" options={AUDIT_ACTIONS} />
    <RecordFilter source="actor" label="Actor" resources={['users']} />
    <RecordFilter source="impersonator" label="Impersonator" resources={['users']} />
    <RecordFilter source="target" label="Target" resources={['users', 'tenants']} />
    <RecordFilter source="tenant" label="Tenant" resources={['tenants']} />
    <DateTimeInput source="from" label="From" helperText={false} sx={WIDE} />
    <DateTimeInput source="to" label="To" helperText={false} sx={WIDE} />
  </>
);

/** The audit log of all tenants, newest first. */
const AuditLogList = () => (
  <ListPage<Entry>
    title="Audit log"
    filters={FILTERS}
    empty={['No entries yet.', 'No results.']}
    rowClick={false}
    expand={<AuditEntryDetail />}
    card={(entry) => ({
      title: entry.action,
      state: <Timestamp at={entry.at} />,
      lines: (
        <>
          <AuditActor entry={entry} /> · <AuditTarget entry={entry} /> <AuditDetails data={entry.data} />
        </>
      ),
    })}
  >
    <DataTable.Col disableSort label="Time" render={(entry: Entry) => <Timestamp at={entry.at} />} />
    <DataTable.Col disableSort source="action" />
    <DataTable.Col disableSort label="Actor" render={(entry: Entry) => <AuditActor entry={entry} />} />
    <DataTable.Col disableSort label="Target" render={(entry: Entry) => <AuditTarget entry={entry} />} />
    <DataTable.Col disableSort label="Tenant" render={(entry: Entry) => <EntryTenant entry={entry} />} />
    <DataTable.Col disableSort label="Details" render={(entry: Entry) => <AuditDetails data={entry.data} />} />
  </ListPage>
);

const EntryTenant = ({ entry }: { entry: Entry }) => (
  <RecordLink
    resource="tenants"
    id={entry.tenantId}
    formerName={entry.tenantId === entry.targetId ? formerNameOf(entry) : undefined}
  />
);

/** All fields of an entry. */
const AuditEntryDetail = () => {
  const entry = useRecordContext<Entry>()!;
  return (
    <Box sx={{ display: 'grid', gap: 2, py: 1 }}>
      <FieldList>
        <Field name="Time">
          <Timestamp at={entry.at} full />
        </Field>
        <CopyableField name="IP address" value={entry.ip} />
        <CopyableField name="Request ID" value={entry.requestId} />
        <Field name="Target type">{entry.targetType}</Field>
        <CopyableField name="Target ID" value={entry.targetId} />
        <CopyableField name="Entry ID" value={entry.id} />
      </FieldList>
      <CodeBlock label="Details">{entry.data}</CodeBlock>
    </Box>
  );
};

export default AuditLogList;

import type { Schemas } from '@tenantry/client';
import { DataTable, DateTimeInput, TextInput, useRecordContext } from 'react-admin';
import { Box } from '@mui/material';
import { CodeBlock } from '../components/code-block';
import { Field, FieldList } from '../components/field-list';
import { RecordLink, AuditTarget } from '../components/links';
import { ListPage, WIDE } from '../components/list-page';
import { Timestamp } from '../components/timestamp';
import { AuditActor } from './audit-actor';
import { AuditDetails } from './audit-details';

type Entry = Schemas['AuditEntryView'];

const FILTERS = (
  <>
    <TextInput source="action" label="Action" placeholder="user.signed-in" helperText={false} />
    <TextInput source="actor" label="Who (id)" helperText={false} />
    <TextInput source="impersonator" label="Acting operator (id)" helperText={false} />
    <TextInput source="target" label="Target (id)" helperText={false} />
    <TextInput source="tenant" label="Tenant (id)" helperText={false} />
    <DateTimeInput source="from" label="From" helperText={false} sx={WIDE} />
    <DateTimeInput source="to" label="To" helperText={false} sx={WIDE} />
  </>
);

/** What has happened anywhere, newest first. */
const AuditLogList = () => (
  <ListPage<Entry>
    title="Audit log"
    filters={FILTERS}
    empty={['Nothing has happened yet.', 'Nothing like that has happened.']}
    rowClick={false}
    expand={<AuditEntryDetail />}
    card={(entry) => ({
      title: entry.action,
      state: <Timestamp at={entry.at} />,
      lines: (
        <>
          <AuditActor entry={entry} /> · <AuditTarget type={entry.targetType} id={entry.targetId} /> ·{' '}
          <AuditDetails data={entry.data} />
        </>
      ),
    })}
  >
    <DataTable.Col disableSort label="When" render={(entry: Entry) => <Timestamp at={entry.at} />} />
    <DataTable.Col disableSort source="action" />
    <DataTable.Col disableSort label="Who" render={(entry: Entry) => <AuditActor entry={entry} />} />
    <DataTable.Col
      disableSort
      label="Target"
      render={(entry: Entry) => <AuditTarget type={entry.targetType} id={entry.targetId} />}
    />
    <DataTable.Col
      disableSort
      label="Tenant"
      render={(entry: Entry) => <RecordLink resource="tenants" id={entry.tenantId} />}
    />
    <DataTable.Col disableSort label="More" render={(entry: Entry) => <AuditDetails data={entry.data} />} />
  </ListPage>
);

/** All of an entry. */
const AuditEntryDetail = () => {
  const entry = useRecordContext<Entry>()!;
  return (
    <Box sx={{ display: 'grid', gap: 2, py: 1 }}>
      <FieldList>
        <Field name="When">
          <Timestamp at={entry.at} full />
        </Field>
        <Field name="From address">{entry.ip}</Field>
        <Field name="Request">{entry.requestId}</Field>
        <Field name="Target">{`${entry.targetType} ${entry.targetId}`}</Field>
        <Field name="Entry">{entry.id}</Field>
      </FieldList>
      <CodeBlock label="Data of the entry">{entry.data}</CodeBlock>
    </Box>
  );
};

export default AuditLogList;

import type { Schemas } from '@tenantry/client';
import { DataTable, DateTimeInput, TextInput, useRecordContext } from 'react-admin';
import { Box } from '@mui/material';
import { Code } from '../parts/code';
import { Fact, Facts } from '../parts/facts';
import { Reference, Target } from '../parts/links';
import { Listing, WIDE } from '../parts/listing';
import { Moment } from '../parts/moment';
import { Actor } from './actor';
import { Data } from './data';

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
const Audit = () => (
  <Listing<Entry>
    title="Audit log"
    filters={FILTERS}
    empty={['Nothing has happened yet.', 'Nothing like that has happened.']}
    rowClick={false}
    expand={<Whole />}
    card={(entry) => ({
      title: entry.action,
      state: <Moment at={entry.at} />,
      lines: (
        <>
          <Actor entry={entry} /> · <Target type={entry.targetType} id={entry.targetId} /> · <Data data={entry.data} />
        </>
      ),
    })}
  >
    <DataTable.Col disableSort label="When" render={(entry: Entry) => <Moment at={entry.at} />} />
    <DataTable.Col disableSort source="action" />
    <DataTable.Col disableSort label="Who" render={(entry: Entry) => <Actor entry={entry} />} />
    <DataTable.Col
      disableSort
      label="Target"
      render={(entry: Entry) => <Target type={entry.targetType} id={entry.targetId} />}
    />
    <DataTable.Col
      disableSort
      label="Tenant"
      render={(entry: Entry) => <Reference resource="tenants" id={entry.tenantId} />}
    />
    <DataTable.Col disableSort label="More" render={(entry: Entry) => <Data data={entry.data} />} />
  </Listing>
);

/** All of an entry. */
const Whole = () => {
  const entry = useRecordContext<Entry>()!;
  return (
    <Box sx={{ display: 'grid', gap: 2, py: 1 }}>
      <Facts>
        <Fact name="When">
          <Moment at={entry.at} full />
        </Fact>
        <Fact name="From address">{entry.ip}</Fact>
        <Fact name="Request">{entry.requestId}</Fact>
        <Fact name="Target">{`${entry.targetType} ${entry.targetId}`}</Fact>
        <Fact name="Entry">{entry.id}</Fact>
      </Facts>
      <Code label="Data of the entry">{entry.data}</Code>
    </Box>
  );
};

export default Audit;

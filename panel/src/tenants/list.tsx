import { Stack } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { DataTable, SelectInput, TextInput } from 'react-admin';
import { PlainLink, recordAt } from '../parts/links';
import { Listing, WIDE } from '../parts/listing';
import { Moment } from '../parts/moment';
import { StateChip, wordOf } from '../parts/state';
import { PLANS, STATUSES } from './choices';

type Tenant = Schemas['AdminTenantView'];

const choicesOf = (names: readonly string[]) => names.map((id) => ({ id, name: wordOf(id) }));

const FILTERS = (
  <>
    <TextInput source="q" label="Beginning of the name, or id" resettable helperText={false} sx={WIDE} />
    <SelectInput source="plan" label="Plan" choices={choicesOf(PLANS)} emptyText="Any" helperText={false} />
    <SelectInput source="status" label="Status" choices={choicesOf(STATUSES)} emptyText="Any" helperText={false} />
  </>
);

/** All tenants, newest first. */
const Tenants = () => (
  <Listing<Tenant>
    title="Tenants"
    filters={FILTERS}
    empty={['There is no tenant yet.', 'No tenant is like that. The name must begin with what is searched.']}
    card={(tenant) => ({
      to: recordAt('tenants', tenant.id),
      title: tenant.name,
      state: <Subscription tenant={tenant} />,
      lines: (
        <>
          {tenant.owner.email} · {tenant.memberCount} {tenant.memberCount === 1 ? 'member' : 'members'} ·{' '}
          <Moment at={tenant.createdAt} />
        </>
      ),
    })}
  >
    <DataTable.Col
      disableSort
      source="name"
      render={(tenant: Tenant) => <PlainLink to={recordAt('tenants', tenant.id)}>{tenant.name}</PlainLink>}
    />
    <DataTable.Col disableSort label="Subscription" render={(tenant: Tenant) => <Subscription tenant={tenant} />} />
    <DataTable.Col
      disableSort
      label="Owner"
      render={({ owner }: Tenant) => <PlainLink to={recordAt('users', owner.id)}>{owner.email}</PlainLink>}
    />
    <DataTable.NumberCol disableSort source="memberCount" label="Members" />
    <DataTable.Col disableSort label="Made" render={(tenant: Tenant) => <Moment at={tenant.createdAt} />} />
  </Listing>
);

const Subscription = ({ tenant: { plan, status } }: { tenant: Tenant }) => (
  <Stack direction="row" component="span" sx={{ gap: 0.5 }}>
    <StateChip state={plan} />
    <StateChip state={status} />
  </Stack>
);

export default Tenants;

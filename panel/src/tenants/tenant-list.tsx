import { Box, Stack } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { DataTable, SelectInput, TextInput } from 'react-admin';
import { TextLink, recordAt } from '../components/links';
import { ListPage, WIDE } from '../components/list-page';
import { Timestamp } from '../components/timestamp';
import { StatusChip } from '../components/status-chip';
import { formatter } from '../date-format';
import { labelOf } from '../labels';
import { FEATURES } from './entitlement-values';
import { PLANS, STATUSES } from './subscription-choices';

type Tenant = Schemas['AdminTenantView'];

const day = formatter({ dateStyle: 'medium' });

const choicesOf = (names: readonly string[]) => names.map((id) => ({ id, name: labelOf(id) }));

/** Whether the tenant has an override that has not ended. */
const OVERRIDE = [
  { id: 'true', name: 'Active' },
  { id: 'false', name: 'None' },
];

/** The help has room on one line, as no text follows it. */
const WIDE_WITH_HELP = { ...WIDE, '& .MuiFormHelperText-root': { whiteSpace: 'nowrap' } };

const FILTERS = (
  <>
    <TextInput
      source="q"
      label="Search by name or ID"
      resettable
      helperText="Finds the beginning of any word in the name."
      sx={WIDE_WITH_HELP}
    />
    <SelectInput source="plan" label="Plan" choices={choicesOf(PLANS)} emptyText="Any" helperText={false} />
    <SelectInput source="status" label="Status" choices={choicesOf(STATUSES)} emptyText="Any" helperText={false} />
    <SelectInput
      source="entitlement"
      label="Feature"
      choices={choicesOf(FEATURES)}
      emptyText="Any"
      helperText={false}
    />
    <SelectInput source="override" label="Override" choices={OVERRIDE} emptyText="Any" helperText={false} />
  </>
);

/** All tenants, newest first. */
const TenantList = () => (
  <ListPage<Tenant>
    title="Tenants"
    filters={FILTERS}
    empty={['No tenants yet.', 'No results. The search finds the beginning of words.']}
    card={(tenant) => ({
      to: recordAt('tenants', tenant.id),
      title: tenant.name,
      state: <Subscription tenant={tenant} />,
      lines: (
        <>
          {tenant.owner.email} · {tenant.memberCount} {tenant.memberCount === 1 ? 'member' : 'members'} ·{' '}
          <Timestamp at={tenant.createdAt} />
          <Override tenant={tenant} />
        </>
      ),
    })}
  >
    <DataTable.Col
      disableSort
      source="name"
      render={(tenant: Tenant) => <TextLink to={recordAt('tenants', tenant.id)}>{tenant.name}</TextLink>}
    />
    <DataTable.Col
      disableSort
      label="Subscription"
      render={(tenant: Tenant) => (
        <>
          <Subscription tenant={tenant} />
          <Override tenant={tenant} />
        </>
      )}
    />
    <DataTable.Col
      disableSort
      label="Owner"
      render={({ owner }: Tenant) => <TextLink to={recordAt('users', owner.id)}>{owner.email}</TextLink>}
    />
    <DataTable.NumberCol disableSort source="memberCount" label="Members" />
    <DataTable.Col disableSort label="Created" render={(tenant: Tenant) => <Timestamp at={tenant.createdAt} />} />
  </ListPage>
);

/** Plan and status of the subscription, without the override. */
const Subscription = ({ tenant: { plan, status } }: { tenant: Tenant }) => (
  <Stack direction="row" component="span" sx={{ gap: 0.5 }}>
    <StatusChip state={plan} />
    <StatusChip state={status} />
  </Stack>
);

/** The end of the override; nothing without an override. */
const Override = ({ tenant: { overrideEndsAt } }: { tenant: Tenant }) =>
  overrideEndsAt && (
    <Box component="span" sx={{ display: 'block', my: 0.5 }}>
      <StatusChip state="override" label={`Override until ${day(new Date(overrideEndsAt))}`} />
    </Box>
  );

export default TenantList;

import { Box } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { api } from '../api';
import { DataRows } from '../components/data-rows';
import { Field, FieldList } from '../components/field-list';
import { Section } from '../components/section';
import { Timestamp } from '../components/timestamp';
import { useApiQuery } from '../components/use-api-query';
import { labelOf } from '../labels';
import { isFeature, textOf, type Entitlement } from './entitlement-values';
import { EndOverride } from './end-override';
import { OverrideEntitlements } from './override-entitlements';

type Tenant = Schemas['AdminTenantDetailView'];

/** The entitlements of a tenant, their usage, and the current override. */
export const EntitlementSection = ({ tenant }: { tenant: Tenant }) => {
  const { data, error, refetch } = useApiQuery(['entitlements', tenant.id], () =>
    api.GET('/admin/tenants/{id}/entitlements', { params: { path: { id: tenant.id } } }),
  );
  const actions = data && (
    <>
      <OverrideEntitlements tenant={tenant} override={data.override} />
      {data.override && <EndOverride tenant={tenant} />}
    </>
  );
  return (
    <Section title="Entitlements" flush aside={actions}>
      {data?.override && <Override override={data.override} />}
      <DataRows<Entitlement>
        rows={data?.items}
        error={error}
        retry={() => {
          void refetch();
        }}
        keyOf={({ name }) => name}
        empty="No entitlements."
        numbers={['Value', 'Used']}
        columns={{
          Name: ({ name }) => labelOf(name),
          Value: ({ name, limit, isIncluded }) => textOf(name, isFeature(name) ? isIncluded : limit),
          Used: ({ used, pending }) => (pending ? `${used} + ${pending} pending` : (used ?? '–')),
          From: ({ source }) => (source === 'Override' ? source : `${source} plan`),
        }}
      />
    </Section>
  );
};

/** The current override. */
const Override = ({ override }: { override: Schemas['EntitlementOverrideView'] }) => {
  const values = Object.entries(override.entitlements).map(
    ([name, value]) => `${labelOf(name)}: ${textOf(name, value).toLowerCase()}`,
  );
  return (
    <Box sx={{ px: 2, py: 1.5 }}>
      <FieldList>
        <Field name="Override">
          {[override.plan && `${override.plan} plan`, ...values].filter(Boolean).join(', ')}
        </Field>
        <Field name="Override ends">
          <Timestamp at={override.endsAt} full />
        </Field>
        <Field name="Reason" isWide>
          {override.reason}
        </Field>
      </FieldList>
    </Box>
  );
};

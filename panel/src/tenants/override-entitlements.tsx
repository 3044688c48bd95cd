import { Stack, TextField } from '@mui/material';
import { ApiError, type Schemas } from '@tenantry/client';
import { useState } from 'react';
import { api } from '../api';
import { ConfirmDialog } from '../components/confirm-dialog';
import { hasReason, READ_BY_TENANT, ReasonField } from '../components/reason-field';
import { useAction } from '../components/use-action';
import { dayOf, endOfDay, TIME_ZONE } from '../date-format';
import { DayPresets } from './day-presets';
import { EntitlementFields, PlanField, type GivenPlan } from './entitlement-fields';
import { typedOf, valuesOf, type TypedValues } from './entitlement-values';

type Override = Schemas['EntitlementOverrideView'];
type Body = Schemas['OverrideEntitlementsBody'];

interface OverrideEntitlementsProps {
  readonly tenant: Schemas['AdminTenantDetailView'];
  /** The current override, which a new one replaces. */
  readonly override: Override | null;
}

/** The typed values. */
interface Draft {
  readonly plan: GivenPlan;
  readonly values: TypedValues;
  readonly lastDay: string;
  readonly reason: string;
}

/** Overrides the plan, single entitlements or both until the end of a day. */
export const OverrideEntitlements = ({ tenant, override }: OverrideEntitlementsProps) => {
  const [draft, setDraft] = useState(draftOf(override));
  const [wrong, setWrong] = useState<Readonly<Record<string, readonly string[]>>>({});
  const { act, isBusy } = useAction();
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const reset = () => {
    setDraft(draftOf(override));
    setWrong({});
  };
  const save = (fail: (problem: unknown) => void) => {
    setWrong({});
    return act(
      () => api.PUT('/admin/tenants/{id}/entitlements', { params: { path: { id: tenant.id } }, body: bodyOf(draft) }),
      () => `Entitlements of ${tenant.name} updated.`,
      {
        fail: (problem) => {
          setWrong((problem instanceof ApiError && problem.details) || {});
          fail(problem);
        },
      },
    );
  };
  return (
    <ConfirmDialog
      label={override ? 'Change override' : 'Grant plan or limits'}
      size="small"
      loading={isBusy}
      title={override ? 'Change override' : 'Grant plan or limits'}
      confirm="Save"
      isComplete={draft.lastDay !== '' && hasReason(draft.reason)}
      onOpen={reset}
      onConfirm={save}
    >
      <Stack sx={{ gap: 2, pt: 1 }}>
        <PlanField value={draft.plan} wrong={wrong.plan ?? wrong.entitlements} onChange={(plan) => change({ plan })} />
        <EntitlementFields
          tenant={tenant}
          plan={draft.plan}
          values={draft.values}
          wrong={wrong}
          onChange={(values) => change({ values })}
        />
        <DayPresets from={new Date()} value={draft.lastDay} onChange={(lastDay) => change({ lastDay })} />
        <TextField
          type="date"
          label="Last day"
          required
          fullWidth
          value={draft.lastDay}
          error={'endsAt' in wrong}
          helperText={wrong.endsAt?.join(', ') ?? `It ends at the end of this day (${TIME_ZONE}).`}
          slotProps={{ inputLabel: { shrink: true } }}
          onChange={({ target }) => change({ lastDay: target.value })}
        />
        <ReasonField
          value={draft.reason}
          onChange={(reason) => change({ reason })}
          placeholder="Pilot until the contract is signed"
          helperText={wrong.reason?.join(', ') ?? READ_BY_TENANT}
        />
      </Stack>
    </ConfirmDialog>
  );
};

const draftOf = (override: Override | null): Draft => ({
  plan: override?.plan ?? '',
  values: typedOf(override?.entitlements ?? {}),
  lastDay: override ? dayOf(new Date(override.endsAt)) : '',
  reason: '',
});

const bodyOf = ({ plan, values, lastDay, reason }: Draft): Body => ({
  plan: plan === '' ? undefined : plan,
  entitlements: valuesOf(values),
  endsAt: endOfDay(lastDay),
  reason: reason.trim(),
});

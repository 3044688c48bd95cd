import { Alert, MenuItem, Stack, TextField } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useState } from 'react';
import { api } from '../api';
import { ConfirmDialog } from '../components/confirm-dialog';
import { hasReason, READ_BY_TENANT, ReasonField } from '../components/reason-field';
import { useAction } from '../components/use-action';
import { labelOf } from '../labels';
import { PLANS, STATUSES } from './subscription-choices';

type Tenant = Schemas['AdminTenantDetailView'];

/** Sets plan and status of a subscription by hand, whatever Stripe says. */
export const OverrideSubscription = ({ tenant }: { tenant: Tenant }) => {
  const [status, setStatus] = useState(tenant.status);
  const [plan, setPlan] = useState(tenant.plan);
  const [reason, setReason] = useState('');
  const { act, isBusy } = useAction();
  const reset = () => {
    setStatus(tenant.status);
    setPlan(tenant.plan);
    setReason('');
  };
  const override = (fail: (problem: unknown) => void) =>
    act(
      () =>
        api.PATCH('/admin/tenants/{id}/subscription', {
          params: { path: { id: tenant.id } },
          body: { status, plan, reason: reason.trim() },
        }),
      (now) => `${tenant.name} is now ${now.plan}, ${labelOf(now.status).toLowerCase()}.`,
      { fail },
    );
  return (
    <ConfirmDialog
      label="Correct local status"
      color="warning"
      loading={isBusy}
      title="Correct local status"
      confirm="Correct"
      isComplete={hasReason(reason)}
      onOpen={reset}
      onConfirm={override}
    >
      <Stack sx={{ gap: 2 }}>
        <Alert severity="warning">
          This changes Tenantry’s copy only, not Stripe. The next Stripe event or sync, within two hours, may revert it.
        </Alert>
        <TextField
          select
          label="Plan"
          value={plan}
          onChange={({ target }) => setPlan(target.value as Tenant['plan'])}
          fullWidth
        >
          {PLANS.map((name) => (
            <MenuItem key={name} value={name}>
              {name}
            </MenuItem>
          ))}
        </TextField>
        <TextField
          select
          label="Status"
          value={status}
          onChange={({ target }) => setStatus(target.value as Tenant['status'])}
          fullWidth
        >
          {STATUSES.map((name) => (
            <MenuItem key={name} value={name}>
              {labelOf(name)}
            </MenuItem>
          ))}
        </TextField>
        <ReasonField
          value={reason}
          onChange={setReason}
          placeholder="Paid by bank transfer"
          helperText={READ_BY_TENANT}
        />
      </Stack>
    </ConfirmDialog>
  );
};

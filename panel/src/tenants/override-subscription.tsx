import { Alert, MenuItem, Stack, TextField } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useState } from 'react';
import { useAction } from '../components/use-action';
import { ConfirmDialog } from '../components/confirm-dialog';
import { labelOf } from '../labels';
import { api } from '../api';
import { PLANS, STATUSES } from './subscription-choices';

type Tenant = Schemas['AdminTenantDetailView'];

/** Sets what is known here, against the processor's word. */
export const OverrideSubscription = ({ tenant }: { tenant: Tenant }) => {
  const [status, setStatus] = useState(tenant.status);
  const [plan, setPlan] = useState(tenant.plan);
  const [reason, setReason] = useState('');
  const { act, isBusy } = useAction();
  const override = () =>
    act(
      () =>
        api.PATCH('/admin/tenants/{id}/subscription', {
          params: { path: { id: tenant.id } },
          body: { status, plan, reason },
        }),
      (now) => `${tenant.name} is now ${now.plan}, ${labelOf(now.status)}.`,
    );
  return (
    <ConfirmDialog
      label="Override"
      color="warning"
      loading={isBusy}
      question="Override the subscription"
      confirm="Override"
      onConfirm={override}
    >
      <Stack sx={{ gap: 2 }}>
        <Alert severity="warning">
          This changes what is known here, not at the processor. What the processor says next, at the latest the
          two-hourly sync, may revert it.
        </Alert>
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
          label="Reason"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          placeholder="Paid by bank transfer"
          fullWidth
        />
      </Stack>
    </ConfirmDialog>
  );
};

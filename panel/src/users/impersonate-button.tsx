import { DialogContentText, MenuItem, Stack, TextField } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useState } from 'react';
import { api } from '../api';
import { ConfirmDialog } from '../components/confirm-dialog';
import { hasReason, ReasonField } from '../components/reason-field';
import { useAction } from '../components/use-action';
import { openImpersonationTab } from './impersonation-tab';

const BLOCKED = 'Your browser blocked the new tab. Allow pop-ups for this site, then try again.';

/**
 * Impersonates a user in a new tab of the web client, once a reason is given. The token goes to
 * that tab only; the panel does not keep it.
 */
export const ImpersonateButton = ({ user }: { user: Schemas['AdminUserDetailView'] }) => {
  const { id, name, memberships } = user;
  const [reason, setReason] = useState('');
  const [tenantId, setTenantId] = useState(memberships[0]?.tenantId);
  const { act, isBusy } = useAction();
  const start = async (fail: (problem: unknown) => void) => {
    const tab = openImpersonationTab();
    if (!tab) {
      fail(new Error(BLOCKED));
      return false;
    }
    let isShown = false;
    const isStarted = await act(
      async () => {
        const answer = await api.POST('/admin/users/{id}/impersonate', {
          params: { path: { id } },
          body: { reason: reason.trim(), tenantId },
        });
        if (answer.ok) isShown = tab.show(answer.data);
        else tab.close();
        return answer;
      },
      () => (isShown ? `Impersonating ${name} for 15 minutes, in the new tab.` : 'The tab was not opened.'),
      { fail },
    );
    if (isStarted && !isShown) fail(new Error(BLOCKED));
    return isShown;
  };
  return (
    <ConfirmDialog
      label="Impersonate"
      title={`Impersonate ${name}?`}
      confirm="Start"
      disabled={user.isAdmin || user.disabledAt !== null || id === api.session.claims()?.sub}
      loading={isBusy}
      isComplete={hasReason(reason)}
      onOpen={() => {
        setReason('');
        setTenantId(memberships[0]?.tenantId);
      }}
      onConfirm={start}
    >
      <Stack sx={{ gap: 2 }}>
        <DialogContentText>
          For 15 minutes you see and do what {name} can, in a new tab. Everything you do is recorded under your name.
        </DialogContentText>
        <ReasonField
          autoFocus
          value={reason}
          onChange={setReason}
          placeholder="Ticket 4711: missing invoice"
          helperText={`${name} is notified.`}
        />
        {memberships.length > 1 && (
          <TextField
            select
            label="Tenant"
            value={tenantId}
            onChange={({ target }) => setTenantId(target.value)}
            fullWidth
          >
            {memberships.map((membership) => (
              <MenuItem key={membership.tenantId} value={membership.tenantId}>
                {membership.tenantName} ({membership.role})
              </MenuItem>
            ))}
          </TextField>
        )}
      </Stack>
    </ConfirmDialog>
  );
};

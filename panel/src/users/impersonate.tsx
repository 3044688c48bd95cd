import { DialogContentText, MenuItem, Stack, TextField } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useState } from 'react';
import { useAct } from '../parts/act';
import { Ask } from '../parts/ask';
import { api } from '../session';

const FRONTEND = document.querySelector<HTMLMetaElement>('meta[name="frontend-url"]')?.content ?? '';

/** Opens the web client as this person. The token is in the fragment of the new tab's address, which no server sees, and nowhere else. */
export const Impersonate = ({ user }: { user: Schemas['AdminUserDetailView'] }) => {
  const { id, name, memberships } = user;
  const [reason, setReason] = useState('');
  const [tenantId, setTenantId] = useState(memberships[0]?.tenantId);
  const { act, isBusy } = useAct();
  const begin = () =>
    act(
      async () => {
        const answer = await api.POST('/admin/users/{id}/impersonate', { params: { path: { id } }, body: { reason, tenantId } });
        if (answer.ok) open(answer.data);
        return answer;
      },
      () => `The web client opens in a new tab as ${name}, for 15 minutes.`,
    );
  return (
    <Ask
      label="Impersonate"
      loading={isBusy}
      disabled={user.isAdmin || user.disabledAt !== null || id === api.session.claims()?.sub}
      question={`Act as ${name}?`}
      confirm="Open the web client"
      onConfirm={begin}
    >
      <Stack sx={{ gap: 2 }}>
        <DialogContentText>For 15 minutes you see and do what {name} can. The audit log names you with everything that is done.</DialogContentText>
        <TextField
          autoFocus
          label="Reason"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          placeholder="Ticket 4711: cannot see the invoice"
          fullWidth
        />
        {memberships.length > 1 && (
          <TextField select label="Tenant" value={tenantId} onChange={({ target }) => setTenantId(target.value)} fullWidth>
            {memberships.map((membership) => (
              <MenuItem key={membership.tenantId} value={membership.tenantId}>
                {membership.tenantName} ({membership.role})
              </MenuItem>
            ))}
          </TextField>
        )}
      </Stack>
    </Ask>
  );
};

function open({ accessToken, expiresIn }: Schemas['ImpersonationView']): void {
  window.open(`${FRONTEND}#${new URLSearchParams({ accessToken, expiresIn: String(expiresIn) }).toString()}`, '_blank', 'noopener');
}

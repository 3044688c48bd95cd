import { DialogContentText, Stack } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useState } from 'react';
import { api } from '../api';
import { ConfirmDialog } from '../components/confirm-dialog';
import { ReasonField } from '../components/reason-field';
import { useAction } from '../components/use-action';

/** Disables an account, or enables it again. */
export const AccountAccessButton = ({ user: { id, name, disabledAt } }: { user: Schemas['AdminUserDetailView'] }) => {
  const [reason, setReason] = useState('');
  const { act, isBusy } = useAction();
  const params = { params: { path: { id } } };
  if (disabledAt) {
    return (
      <ConfirmDialog
        key="enable" // not the dialog of the other action, which is still closing
        label="Enable"
        loading={isBusy}
        title={`Enable ${name}?`}
        confirm="Enable"
        onConfirm={(fail) =>
          act(
            () => api.POST('/admin/users/{id}/enable', params),
            () => `${name} can sign in again.`,
            { fail },
          )
        }
      >
        The account can sign in again and keeps its memberships.
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      key="disable"
      label="Disable"
      color="error"
      loading={isBusy}
      disabled={id === api.session.claims()?.sub}
      title={`Disable ${name}?`}
      confirm="Disable"
      onOpen={() => setReason('')}
      onConfirm={(fail) =>
        act(
          () => api.POST('/admin/users/{id}/disable', { ...params, body: { reason: reason.trim() || undefined } }),
          () => `${name} is disabled.`,
          { fail },
        )
      }
    >
      <Stack sx={{ gap: 2 }}>
        <DialogContentText>
          All sessions end, and the account cannot sign in until it is enabled again. Nothing is deleted.
        </DialogContentText>
        <ReasonField
          autoFocus
          required={false}
          value={reason}
          onChange={setReason}
          placeholder="Ticket 4712: sends spam"
          helperText="Kept in the audit log."
        />
      </Stack>
    </ConfirmDialog>
  );
};

import { DialogContentText, Stack } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useState } from 'react';
import { api } from '../api';
import { ConfirmDialog } from '../components/confirm-dialog';
import { hasReason, ReasonField } from '../components/reason-field';
import { useAction } from '../components/use-action';
import { useOpenReset } from './use-open-reset';

/** Asks to reset the lost second factor of a user. Another operator must approve it. */
export const RequestResetButton = ({ user }: { user: Schemas['AdminUserDetailView'] }) => {
  const { id, name, hasSecondFactor } = user;
  const [reason, setReason] = useState('');
  const { act, isBusy } = useAction();
  const isOwn = id === api.session.claims()?.sub;
  const open = useOpenReset(id);
  if (!hasSecondFactor || open) return null;
  return (
    <ConfirmDialog
      label="Reset second factor"
      color="error"
      loading={isBusy}
      disabled={isOwn}
      title={`Reset the second factor of ${name}?`}
      confirm="Request reset"
      isComplete={hasReason(reason)}
      onOpen={() => setReason('')}
      onConfirm={(fail) =>
        act(
          () => {
            const params = { path: { id } };
            return api.POST('/admin/users/{id}/factors/reset', { params, body: { reason: reason.trim() } });
          },
          () => `The reset waits for the approval of another operator. ${name} is told.`,
          { fail },
        )
      }
    >
      <Stack sx={{ gap: 2 }}>
        <DialogContentText>
          The authenticator app, recovery codes and passkeys are removed. Another operator must approve it. It happens
          in 24 hours at the earliest, and {name} can stop it until then. Check who is asking: an email or a call proves
          nothing.
        </DialogContentText>
        <ReasonField
          autoFocus
          value={reason}
          onChange={setReason}
          placeholder="Ticket 4713: phone lost, identity checked by video call"
          helperText="For the other operator and the audit log."
        />
      </Stack>
    </ConfirmDialog>
  );
};

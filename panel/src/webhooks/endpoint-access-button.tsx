import { DialogContentText, Stack } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useState } from 'react';
import { api } from '../api';
import { ConfirmDialog } from '../components/confirm-dialog';
import { ReasonField } from '../components/reason-field';
import { useAction } from '../components/use-action';

interface EndpointProps {
  readonly endpoint: Schemas['AdminWebhookEndpointView'];
}

/** Disables a webhook endpoint, or enables it again. */
export const EndpointAccessButton = ({ endpoint }: EndpointProps) => (
  <>
    {endpoint.disabledAt && <EnableButton key="enable" endpoint={endpoint} />}
    {endpoint.disabledWhy !== 'operator' && <DisableButton key="disable" endpoint={endpoint} />}
  </>
);

const EnableButton = ({ endpoint: { id, host } }: EndpointProps) => {
  const { act, isBusy } = useAction();
  return (
    <ConfirmDialog
      label="Enable"
      loading={isBusy}
      title={`Enable the endpoint at ${host}?`}
      confirm="Enable"
      onConfirm={(fail) =>
        act(
          () => api.POST('/admin/webhook-endpoints/{id}/enable', { params: { path: { id } } }),
          () => `The endpoint at ${host} is enabled.`,
          { fail },
        )
      }
    >
      New events are sent to it. The tenant can replay what was not sent.
    </ConfirmDialog>
  );
};

const DisableButton = ({ endpoint: { id, host } }: EndpointProps) => {
  const [reason, setReason] = useState('');
  const { act, isBusy } = useAction();
  const body = { reason: reason.trim() || undefined };
  return (
    <ConfirmDialog
      label="Disable"
      color="error"
      loading={isBusy}
      title={`Disable the endpoint at ${host}?`}
      confirm="Disable"
      onOpen={() => setReason('')}
      onConfirm={(fail) =>
        act(
          () => api.POST('/admin/webhook-endpoints/{id}/disable', { params: { path: { id } }, body }),
          () => `The endpoint at ${host} is disabled.`,
          { fail },
        )
      }
    >
      <Stack sx={{ gap: 2 }}>
        <DialogContentText>
          It gets nothing, the Owner is told, and members cannot enable it. Nothing is deleted.
        </DialogContentText>
        <ReasonField
          autoFocus
          required={false}
          value={reason}
          onChange={setReason}
          placeholder="Ticket 4713: not their receiver"
          helperText="Kept in the audit log, which members can read."
        />
      </Stack>
    </ConfirmDialog>
  );
};

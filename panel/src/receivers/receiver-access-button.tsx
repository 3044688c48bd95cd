import { DialogContentText, Stack } from '@mui/material';
import type { Answer } from '@tenantry/client';
import { useState } from 'react';
import { ConfirmDialog } from '../components/confirm-dialog';
import { ReasonField } from '../components/reason-field';
import { useAction } from '../components/use-action';
import type { Receiver } from './receiver-state';

interface ReceiverAccessProps {
  readonly receiver: Receiver;
  /** What it is, in the middle of a sentence. */
  readonly noun: string;
  readonly enable: () => Promise<Answer<unknown>>;
  readonly disable: (body: { readonly reason?: string }) => Promise<Answer<unknown>>;
  /** What follows from each. */
  readonly enabling: string;
  readonly disabling: string;
}

/** Disables a receiver of a tenant, or enables it again. */
export const ReceiverAccessButton = (props: ReceiverAccessProps) => (
  <>
    {props.receiver.disabledAt && <EnableButton key="enable" {...props} />}
    {props.receiver.disabledWhy !== 'operator' && <DisableButton key="disable" {...props} />}
  </>
);

const EnableButton = ({ receiver: { host }, noun, enable, enabling }: ReceiverAccessProps) => {
  const { act, isBusy } = useAction();
  return (
    <ConfirmDialog
      label="Enable"
      loading={isBusy}
      title={`Enable the ${noun} at ${host}?`}
      confirm="Enable"
      onConfirm={(fail) => act(enable, () => `The ${noun} at ${host} is enabled.`, { fail })}
    >
      {enabling}
    </ConfirmDialog>
  );
};

const DisableButton = ({ receiver: { host }, noun, disable, disabling }: ReceiverAccessProps) => {
  const [reason, setReason] = useState('');
  const { act, isBusy } = useAction();
  const body = { reason: reason.trim() || undefined };
  return (
    <ConfirmDialog
      label="Disable"
      color="error"
      loading={isBusy}
      title={`Disable the ${noun} at ${host}?`}
      confirm="Disable"
      onOpen={() => setReason('')}
      onConfirm={(fail) =>
        act(
          () => disable(body),
          () => `The ${noun} at ${host} is disabled.`,
          { fail },
        )
      }
    >
      <Stack sx={{ gap: 2 }}>
        <DialogContentText>{disabling}</DialogContentText>
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

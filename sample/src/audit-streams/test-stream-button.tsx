import { Button, CircularProgress, Dialog, DialogActions, DialogContent, DialogTitle, Stack } from '@mui/material';
import { unwrap } from '@tenantry/client';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { DisabledReason } from '../form/disabled-reason';
import { ErrorAlert } from '../form/error-alert';
import { ReceiverAnswer } from '../receivers/receiver-answer';
import { operatorBlock } from '../receivers/receiver-texts';
import { api } from '../session';
import type { AuditStream } from './stream-queries';

/** Sends a request without entries to the receiver of a stream, and shows what it answers. */
export function TestStreamButton({ stream }: { stream: AuditStream }) {
  const { id } = stream;
  const blocked = operatorBlock(stream);
  const [isOpen, setOpen] = useState(false);
  const titleId = useId();
  const sending = useMutation({
    meta: { isShown: true },
    mutationFn: async () =>
      unwrap(await api.POST('/tenants/current/audit-streams/{id}/test', { params: { path: { id } } })),
  });
  const open = () => {
    setOpen(true);
    sending.mutate();
  };
  const close = () => setOpen(false);
  return (
    <>
      <DisabledReason reason={blocked}>
        <Button variant="contained" disabled={blocked !== undefined} onClick={open}>
          Send test request
        </Button>
      </DisabledReason>
      <Dialog open={isOpen} onClose={close} fullWidth maxWidth="sm" aria-labelledby={titleId}>
        <DialogTitle id={titleId}>{titleOf(sending.data?.error)}</DialogTitle>
        <DialogContent>
          <div role="status">
            {sending.isPending && <Waiting />}
            {sending.error && <ErrorAlert failure={sending.error.failure} />}
            {sending.data && <ReceiverAnswer answer={sending.data} label="Answer of the receiver" />}
          </div>
        </DialogContent>
        <DialogActions>
          <Button color="inherit" disabled={sending.isPending} onClick={() => sending.mutate()}>
            Send again
          </Button>
          <Button variant="contained" onClick={close} autoFocus>
            Close
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

/** @param error why the test failed; null for a success, undefined before there is an answer */
function titleOf(error: string | null | undefined): string {
  if (error === undefined) return 'Test request';
  return error === null ? 'The receiver accepted the test' : 'The test failed';
}

const Waiting = () => (
  <Stack direction="row" sx={{ gap: 1.5, py: 1.5, alignItems: 'center' }}>
    <CircularProgress size={20} aria-hidden />
    Waiting for the answer, at most 15 seconds …
  </Stack>
);

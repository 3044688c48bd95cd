import { Box, Stack } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { api } from '../api';
import { ConfirmDialog } from '../components/confirm-dialog';
import { useAction } from '../components/use-action';
import { useRecordName } from '../name-lookup';

type Reset = Schemas['FactorResetView'];

/** What an operator can do with an open request; nothing with a closed one. */
export const ResetActions = ({ reset }: { reset: Reset }) => {
  const name = useRecordName(reset.userId) ?? 'this user';
  if (reset.closedAt !== null) return null;
  const obstacle = reset.state === 'requested' ? obstacleOf(reset) : undefined;
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
      {reset.state === 'requested' && <ApproveButton reset={reset} name={name} isDisabled={obstacle !== undefined} />}
      <CancelButton reset={reset} name={name} />
      {obstacle && (
        <Box component="span" sx={{ color: 'text.secondary', fontSize: '0.8125rem' }}>
          {obstacle}
        </Box>
      )}
    </Stack>
  );
};

/** Why the operator cannot approve a request. */
function obstacleOf({ requestedBy, userId }: Reset): string | undefined {
  const own = api.session.claims()?.sub;
  if (own === requestedBy) return 'You asked for it. Another operator must approve it.';
  return own === userId ? 'It is your own second factor. Another operator must approve it.' : undefined;
}

interface ActionProps {
  readonly reset: Reset;
  readonly name: string;
}

const ApproveButton = ({ reset, name, isDisabled }: ActionProps & { isDisabled: boolean }) => {
  const { act, isBusy } = useAction();
  return (
    <ConfirmDialog
      label="Approve"
      color="error"
      loading={isBusy}
      disabled={isDisabled}
      title={`Approve the reset for ${name}?`}
      confirm="Approve"
      onConfirm={(fail) =>
        act(
          () => api.POST('/admin/factor-resets/{id}/approve', { params: { path: { id: reset.id } } }),
          () => 'The reset is approved.',
          { fail },
        )
      }
    >
      {`You have checked who is asking, independently of the operator who asked. Reason: ${reset.reason}`}
    </ConfirmDialog>
  );
};

const CancelButton = ({ reset, name }: ActionProps) => {
  const { act, isBusy } = useAction();
  return (
    <ConfirmDialog
      label="Cancel reset"
      variant="text"
      loading={isBusy}
      title={`Cancel the reset for ${name}?`}
      confirm="Cancel reset"
      onConfirm={(fail) =>
        act(
          () => api.POST('/admin/factor-resets/{id}/cancel', { params: { path: { id: reset.id } } }),
          () => 'The reset is canceled.',
          { fail },
        )
      }
    >
      The second factor stays as it is. The reset can be requested again.
    </ConfirmDialog>
  );
};

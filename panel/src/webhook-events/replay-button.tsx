import { Button } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useAction } from '../components/use-action';
import { labelOf } from '../labels';
import { api } from '../api';

/** Processes an event again and reports its new status. */
export const ReplayButton = ({ event: { id, status } }: { event: Schemas['WebhookEventDetailView'] }) => {
  const { act, isBusy } = useAction();
  const replay = () =>
    act(
      () => api.POST('/admin/webhook-events/{id}/replay', { params: { path: { id } } }),
      (replayed) =>
        `Replayed. Status: ${labelOf(replayed.status).toLowerCase()}${replayed.error ? ` (${replayed.error})` : ''}.`,
    );
  return (
    <Button
      variant={status === 'failed' || status === 'needs-attention' ? 'contained' : 'outlined'}
      loading={isBusy}
      onClick={() => {
        void replay();
      }}
    >
      Replay
    </Button>
  );
};

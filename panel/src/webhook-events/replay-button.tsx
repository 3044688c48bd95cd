import { Button } from '@mui/material';
import { useAction } from '../components/use-action';
import { labelOf } from '../labels';
import { api } from '../api';

/** Processes an event again and reports its new status. */
export const ReplayButton = ({ id }: { id: string }) => {
  const { act, isBusy } = useAction();
  const replay = () =>
    act(
      () => api.POST('/admin/webhook-events/{id}/replay', { params: { path: { id } } }),
      ({ status, error }) => `Replayed. Status: ${labelOf(status).toLowerCase()}${error ? ` (${error})` : ''}.`,
    );
  return (
    <Button
      variant="contained"
      loading={isBusy}
      onClick={() => {
        void replay();
      }}
    >
      Replay
    </Button>
  );
};

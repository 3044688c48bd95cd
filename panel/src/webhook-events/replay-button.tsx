import { Button } from '@mui/material';
import { useAction } from '../components/use-action';
import { labelOf } from '../labels';
import { api } from '../api';

/** Applies an event once more, and says what has become of it. */
export const ReplayButton = ({ id }: { id: string }) => {
  const { act, isBusy } = useAction();
  const replay = () =>
    act(
      () => api.POST('/admin/webhook-events/{id}/replay', { params: { path: { id } } }),
      ({ status, error }) => `Replayed; it is now: ${labelOf(status)}${error ? ` (${error})` : ''}.`,
    );
  return (
    <Button variant="contained" loading={isBusy} onClick={() => void replay()}>
      Replay
    </Button>
  );
};

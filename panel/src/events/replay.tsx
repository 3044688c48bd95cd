import { Button } from '@mui/material';
import { useAct } from '../parts/act';
import { wordOf } from '../parts/state';
import { api } from '../session';

/** Applies an event once more, and says what has become of it. */
export const Replay = ({ id }: { id: string }) => {
  const { act, isBusy } = useAct();
  const replay = () =>
    act(
      () => api.POST('/admin/webhook-events/{id}/replay', { params: { path: { id } } }),
      ({ status, error }) => `Replayed; it is now: ${wordOf(status)}${error ? ` (${error})` : ''}.`,
    );
  return (
    <Button variant="contained" loading={isBusy} onClick={() => void replay()}>
      Replay
    </Button>
  );
};

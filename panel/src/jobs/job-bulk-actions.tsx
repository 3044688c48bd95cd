import { Button } from '@mui/material';
import { useListContext } from 'react-admin';
import type { Answer, Schemas } from '@tenantry/client';
import { useAction } from '../components/use-action';
import { ConfirmDialog } from '../components/confirm-dialog';
import { api } from '../api';

type Changed = Schemas['JobsChangedView'];

/**
 * Changes the selected jobs, and tells of how many it was possible.
 * @param done what is done to them: `deleted`
 */
function useSelected(done: string, change: (ids: string[]) => Promise<Answer<Changed>>) {
  const { selectedIds, onUnselectItems } = useListContext();
  const { act, isBusy } = useAction();
  const run = async () => {
    const isDone = await act(
      () => change(selectedIds.map(String)),
      (changed) => outcomeOf(done, changed),
    );
    if (isDone) onUnselectItems();
    return isDone;
  };
  return { run, isBusy, count: selectedIds.length };
}

function outcomeOf(done: string, { changed, running, missing }: Changed): string {
  const parts = [
    `${changed.length} ${done}`,
    ...(running.length > 0 ? [`${running.length} left alone, being worked right now`] : []),
    ...(missing.length > 0 ? [`${missing.length} not there any more`] : []),
  ];
  return `${parts.join('; ')}.`;
}

/** Has the selected jobs tried again now. */
export const RetrySelectedButton = () => {
  const { run, isBusy } = useSelected('to be tried again', (ids) => api.POST('/admin/jobs/retry', { body: { ids } }));
  return (
    <Button loading={isBusy} onClick={() => void run()}>
      Retry
    </Button>
  );
};

/** Takes the selected jobs out of the queue. */
export const DeleteSelectedButton = () => {
  const { run, isBusy, count } = useSelected('deleted', (ids) => api.POST('/admin/jobs/delete', { body: { ids } }));
  return (
    <ConfirmDialog
      label="Delete"
      color="error"
      variant="text"
      loading={isBusy}
      question={`Delete ${count} ${count === 1 ? 'job' : 'jobs'}?`}
      confirm="Delete"
      onConfirm={run}
    >
      What they were for does not happen. Those that are being worked right now stay.
    </ConfirmDialog>
  );
};

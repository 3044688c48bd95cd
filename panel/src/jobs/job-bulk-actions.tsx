import { Button } from '@mui/material';
import { useListContext } from 'react-admin';
import type { Answer, Schemas } from '@tenantry/client';
import { useAction } from '../components/use-action';
import { ConfirmDialog } from '../components/confirm-dialog';
import { api } from '../api';

type Changed = Schemas['JobsChangedView'];

/**
 * Changes the selected jobs and reports how many were changed.
 * @param done the change in the report: `deleted`
 */
function useSelected(done: string, change: (ids: string[]) => Promise<Answer<Changed>>) {
  const { selectedIds, onUnselectItems } = useListContext();
  const { act, isBusy } = useAction();
  const run = async (fail?: (problem: unknown) => void) => {
    const isDone = await act(
      () => change(selectedIds.map(String)),
      (changed) => outcomeOf(done, changed),
      { fail },
    );
    if (isDone) onUnselectItems();
    return isDone;
  };
  return { run, isBusy, count: selectedIds.length };
}

function outcomeOf(done: string, { changed, running, missing }: Changed): string {
  const parts = [
    `${changed.length} ${done}`,
    ...(running.length > 0 ? [`${running.length} skipped because they are running`] : []),
    ...(missing.length > 0 ? [`${missing.length} no longer in the queue`] : []),
  ];
  return `${parts.join('; ')}.`;
}

/** Retries the selected jobs now. */
export const RetrySelectedButton = () => {
  const { run, isBusy } = useSelected('scheduled for retry', (ids) => api.POST('/admin/jobs/retry', { body: { ids } }));
  return (
    <Button
      loading={isBusy}
      onClick={() => {
        void run();
      }}
    >
      Retry
    </Button>
  );
};

/** Deletes the selected jobs from the queue. */
export const DeleteSelectedButton = () => {
  const { run, isBusy, count } = useSelected('deleted', (ids) => api.POST('/admin/jobs/delete', { body: { ids } }));
  return (
    <ConfirmDialog
      label="Delete"
      color="error"
      variant="text"
      loading={isBusy}
      title={`Delete ${count} ${count === 1 ? 'job' : 'jobs'}?`}
      confirm="Delete"
      onConfirm={run}
    >
      {count === 1 ? 'This job won’t run.' : 'These jobs won’t run.'} Jobs in progress aren’t affected.
    </ConfirmDialog>
  );
};

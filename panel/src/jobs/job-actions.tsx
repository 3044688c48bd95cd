import { Button } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useNavigate } from 'react-router';
import { useAction } from '../components/use-action';
import { ConfirmDialog } from '../components/confirm-dialog';
import { api } from '../api';

interface JobProps {
  readonly job: Schemas['JobView'];
}

/** Retries a job now. */
export const RetryJobButton = ({ job: { id, state } }: JobProps) => {
  const { act, isBusy } = useAction();
  const retry = () =>
    act(
      () => api.POST('/admin/jobs/{id}/retry', { params: { path: { id } } }),
      () => 'Retry scheduled.',
    );
  return (
    <Button
      variant="contained"
      loading={isBusy}
      disabled={state === 'running'}
      onClick={() => {
        void retry();
      }}
    >
      Retry now
    </Button>
  );
};

/** Deletes a job from the queue. */
export const DeleteJobButton = ({ job: { id, state, task } }: JobProps) => {
  const { act, isBusy } = useAction();
  const navigate = useNavigate();
  const remove = (fail: (problem: unknown) => void) =>
    act(
      () => api.DELETE('/admin/jobs/{id}', { params: { path: { id } } }),
      () => 'Job deleted.',
      {
        fail,
        leave: () => {
          void navigate('/jobs');
        },
      },
    );
  return (
    <ConfirmDialog
      label="Delete"
      color="error"
      loading={isBusy}
      disabled={state === 'running'}
      title={`Delete ${task} ${id}?`}
      confirm="Delete"
      onConfirm={remove}
    >
      This job won’t run.
    </ConfirmDialog>
  );
};

import { Button } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useNavigate } from 'react-router';
import { useAction } from '../components/use-action';
import { ConfirmDialog } from '../components/confirm-dialog';
import { api } from '../api';

interface JobProps {
  readonly job: Schemas['JobView'];
}

/** Has a job tried again now. */
export const RetryJobButton = ({ job: { id, state } }: JobProps) => {
  const { act, isBusy } = useAction();
  const retry = () =>
    act(
      () => api.POST('/admin/jobs/{id}/retry', { params: { path: { id } } }),
      () => 'It is tried again within seconds.',
    );
  return (
    <Button variant="contained" loading={isBusy} disabled={state === 'running'} onClick={() => void retry()}>
      Retry now
    </Button>
  );
};

/** Takes a job out of the queue. */
export const DeleteJobButton = ({ job: { id, state, task } }: JobProps) => {
  const { act, isBusy } = useAction();
  const navigate = useNavigate();
  const remove = () =>
    act(
      () => api.DELETE('/admin/jobs/{id}', { params: { path: { id } } }),
      () => 'The job is deleted.',
      () => void navigate('/jobs'),
    );
  return (
    <ConfirmDialog
      label="Delete"
      color="error"
      loading={isBusy}
      disabled={state === 'running'}
      question={`Delete ${task} ${id}?`}
      confirm="Delete"
      onConfirm={remove}
    >
      What it was for does not happen.
    </ConfirmDialog>
  );
};

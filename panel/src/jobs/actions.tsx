import { Button } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useNavigate } from 'react-router';
import { useAct } from '../parts/act';
import { Ask } from '../parts/ask';
import { api } from '../session';

interface JobProps {
  readonly job: Schemas['JobView'];
}

/** Has a job tried again now. */
export const RetryJob = ({ job: { id, state } }: JobProps) => {
  const { act, isBusy } = useAct();
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
export const DeleteJob = ({ job: { id, state, task } }: JobProps) => {
  const { act, isBusy } = useAct();
  const navigate = useNavigate();
  const remove = () =>
    act(
      () => api.DELETE('/admin/jobs/{id}', { params: { path: { id } } }),
      () => 'The job is deleted.',
      () => void navigate('/jobs'),
    );
  return (
    <Ask
      label="Delete"
      color="error"
      loading={isBusy}
      disabled={state === 'running'}
      question={`Delete ${task} ${id}?`}
      confirm="Delete"
      onConfirm={remove}
    >
      What it was for does not happen.
    </Ask>
  );
};

import type { Schemas } from '@tenantry/client';
import { api } from '../api';
import { ConfirmDialog } from '../components/confirm-dialog';
import { useAction } from '../components/use-action';

/** Ends all sessions of a user. */
export const EndSessionsButton = ({ user }: { user: Schemas['AdminUserDetailView'] }) => {
  const { act, isBusy } = useAction();
  return (
    <ConfirmDialog
      label="End all sessions"
      color="error"
      variant="text"
      loading={isBusy}
      disabled={user.sessions.length === 0}
      title={`End all sessions of ${user.name}?`}
      confirm="End all sessions"
      onConfirm={(fail) =>
        act(
          () => api.DELETE('/admin/users/{id}/sessions', { params: { path: { id: user.id } } }),
          () => `All sessions of ${user.name} have ended.`,
          { fail },
        )
      }
    >
      {`${user.name} has to sign in again on every device. Unused links in emails stop working.`}
    </ConfirmDialog>
  );
};

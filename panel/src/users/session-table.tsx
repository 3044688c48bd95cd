import type { Schemas } from '@tenantry/client';
import { useAction } from '../components/use-action';
import { ConfirmDialog } from '../components/confirm-dialog';
import { Timestamp } from '../components/timestamp';
import { DataRows } from '../components/data-rows';
import { api } from '../api';
import { deviceName } from './device-name';

/** Where an account is signed in; each session can be ended. */
export const SessionTable = ({ user }: { user: Schemas['AdminUserDetailView'] }) => {
  const { act, isBusy } = useAction();
  const end = (sessionId: string) =>
    act(
      () => api.DELETE('/admin/users/{id}/sessions/{sessionId}', { params: { path: { id: user.id, sessionId } } }),
      () => 'The session is ended. What it holds already serves for 15 minutes at most.',
    );
  return (
    <DataRows
      rows={user.sessions}
      keyOf={({ id }) => id}
      empty="Signed in nowhere."
      columns={{
        Device: ({ userAgent }) => <span title={userAgent ?? undefined}>{deviceName(userAgent)}</span>,
        Address: ({ ip }) => ip ?? '–',
        Used: ({ lastUsedAt }) => <Timestamp at={lastUsedAt} />,
        Began: ({ createdAt }) => <Timestamp at={createdAt} />,
        Action: ({ id, userAgent }) => (
          <ConfirmDialog
            label="End"
            color="error"
            variant="text"
            loading={isBusy}
            question={`End the session on ${deviceName(userAgent)}?`}
            confirm="End session"
            onConfirm={() => end(id)}
          >
            {`${user.name} has to sign in again there.`}
          </ConfirmDialog>
        ),
      }}
    />
  );
};

import type { Schemas } from '@tenantry/client';
import { api } from '../api';
import { ConfirmDialog } from '../components/confirm-dialog';
import { DataRows } from '../components/data-rows';
import { Timestamp } from '../components/timestamp';
import { useAction } from '../components/use-action';
import { deviceName } from './device-name';

/** The sessions of an account; each can be ended. */
export const SessionTable = ({ user }: { user: Schemas['AdminUserDetailView'] }) => {
  const { act, isBusy } = useAction();
  const end = (sessionId: string, fail: (problem: unknown) => void) =>
    act(
      () => api.DELETE('/admin/users/{id}/sessions/{sessionId}', { params: { path: { id: user.id, sessionId } } }),
      () => 'Session ended.',
      { fail },
    );
  return (
    <DataRows
      rows={user.sessions}
      keyOf={({ id }) => id}
      empty="No active sessions."
      columns={{
        Device: ({ userAgent }) => <span title={userAgent ?? undefined}>{deviceName(userAgent)}</span>,
        'IP address': ({ ip }) => ip ?? '–',
        'Last active': ({ lastUsedAt }) => <Timestamp at={lastUsedAt} />,
        Started: ({ createdAt }) => <Timestamp at={createdAt} />,
        Action: ({ id, userAgent }) => (
          <ConfirmDialog
            label="End"
            color="error"
            variant="text"
            loading={isBusy}
            title={`End the session on ${deviceName(userAgent)}?`}
            confirm="End session"
            onConfirm={(fail) => end(id, fail)}
          >
            {`${user.name} has to sign in again on this device.`}
          </ConfirmDialog>
        ),
      }}
    />
  );
};

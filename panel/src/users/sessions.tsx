import type { Schemas } from '@tenantry/client';
import { useAct } from '../parts/act';
import { Ask } from '../parts/ask';
import { Moment } from '../parts/moment';
import { Rows } from '../parts/rows';
import { api } from '../session';
import { deviceOf } from './device';

/** Where an account is signed in; each session can be ended. */
export const Sessions = ({ user }: { user: Schemas['AdminUserDetailView'] }) => {
  const { act, isBusy } = useAct();
  const end = (sessionId: string) =>
    act(
      () => api.DELETE('/admin/users/{id}/sessions/{sessionId}', { params: { path: { id: user.id, sessionId } } }),
      () => 'The session is ended. What it holds already serves for 15 minutes at most.',
    );
  return (
    <Rows
      rows={user.sessions}
      keyOf={({ id }) => id}
      empty="Signed in nowhere."
      columns={{
        Device: ({ userAgent }) => <span title={userAgent ?? undefined}>{deviceOf(userAgent)}</span>,
        Address: ({ ip }) => ip ?? '–',
        Used: ({ lastUsedAt }) => <Moment at={lastUsedAt} />,
        Began: ({ createdAt }) => <Moment at={createdAt} />,
        Action: ({ id, userAgent }) => (
          <Ask
            label="End"
            color="error"
            variant="text"
            loading={isBusy}
            question={`End the session on ${deviceOf(userAgent)}?`}
            confirm="End session"
            onConfirm={() => end(id)}
          >
            {`${user.name} has to sign in again there.`}
          </Ask>
        ),
      }}
    />
  );
};

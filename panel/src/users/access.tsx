import type { Schemas } from '@tenantry/client';
import { useAct } from '../parts/act';
import { Ask } from '../parts/ask';
import { api } from '../session';

/** Closes an account, or opens it again. */
export const Access = ({ user: { id, name, disabledAt } }: { user: Schemas['AdminUserDetailView'] }) => {
  const { act, isBusy } = useAct();
  const params = { params: { path: { id } } };
  if (disabledAt) {
    return (
      <Ask
        label="Enable"
        loading={isBusy}
        question={`Enable ${name}?`}
        confirm="Enable"
        onConfirm={() =>
          act(
            () => api.POST('/admin/users/{id}/enable', params),
            () => `${name} can sign in again.`,
          )
        }
      >
        The account can sign in again, with the memberships it had.
      </Ask>
    );
  }
  return (
    <Ask
      label="Disable"
      color="error"
      loading={isBusy}
      disabled={id === api.session.claims()?.sub}
      question={`Disable ${name}?`}
      confirm="Disable"
      onConfirm={() =>
        act(
          () => api.POST('/admin/users/{id}/disable', params),
          () => `${name} is disabled.`,
        )
      }
    >
      Every session ends, and nobody can sign in with this account until it is enabled again. Nothing is deleted.
    </Ask>
  );
};

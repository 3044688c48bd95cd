import type { Schemas } from '@tenantry/client';
import { useAction } from '../components/use-action';
import { ConfirmDialog } from '../components/confirm-dialog';
import { api } from '../api';

/** Closes an account, or opens it again. */
export const AccountAccessButton = ({ user: { id, name, disabledAt } }: { user: Schemas['AdminUserDetailView'] }) => {
  const { act, isBusy } = useAction();
  const params = { params: { path: { id } } };
  if (disabledAt) {
    return (
      <ConfirmDialog
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
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
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
    </ConfirmDialog>
  );
};

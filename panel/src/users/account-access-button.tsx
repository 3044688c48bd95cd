import type { Schemas } from '@tenantry/client';
import { api } from '../api';
import { ConfirmDialog } from '../components/confirm-dialog';
import { useAction } from '../components/use-action';

/** Disables an account, or enables it again. */
export const AccountAccessButton = ({ user: { id, name, disabledAt } }: { user: Schemas['AdminUserDetailView'] }) => {
  const { act, isBusy } = useAction();
  const params = { params: { path: { id } } };
  if (disabledAt) {
    return (
      <ConfirmDialog
        label="Enable"
        loading={isBusy}
        title={`Enable ${name}?`}
        confirm="Enable"
        onConfirm={() =>
          act(
            () => api.POST('/admin/users/{id}/enable', params),
            () => `${name} can sign in again.`,
          )
        }
      >
        The account can sign in again and keeps its memberships.
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      label="Disable"
      color="error"
      loading={isBusy}
      disabled={id === api.session.claims()?.sub}
      title={`Disable ${name}?`}
      confirm="Disable"
      onConfirm={() =>
        act(
          () => api.POST('/admin/users/{id}/disable', params),
          () => `${name} is disabled.`,
        )
      }
    >
      All sessions end, and the account cannot sign in until it is enabled again. Nothing is deleted.
    </ConfirmDialog>
  );
};

import type { Schemas } from '@tenantry/client';
import { api } from '../api';
import { ConfirmDialog } from '../components/confirm-dialog';
import { useAction } from '../components/use-action';

type User = Schemas['AdminUserDetailView'];

/** Sends a password reset link to a user. */
export const SendPasswordResetButton = ({ user }: { user: User }) => {
  const { act, isBusy } = useAction();
  const params = { params: { path: { id: user.id } } };
  return (
    <ConfirmDialog
      label="Send password reset link"
      title={`Send a password reset link to ${user.name}?`}
      confirm="Send link"
      loading={isBusy}
      disabled={user.disabledAt !== null}
      onConfirm={(fail) =>
        act(
          () => api.POST('/admin/users/{id}/password-reset', params),
          () => `A password reset link is on its way to ${user.email}.`,
          { fail },
        )
      }
    >
      {`The link goes to ${user.email}. Nothing changes until it is used.`}
    </ConfirmDialog>
  );
};

/** Sends a verification email to a user who is not verified. */
export const SendVerificationButton = ({ user }: { user: User }) => {
  const { act, isBusy } = useAction();
  const params = { params: { path: { id: user.id } } };
  if (user.isEmailVerified) return null;
  return (
    <ConfirmDialog
      label="Send verification email"
      title={`Send a verification email to ${user.name}?`}
      confirm="Send email"
      loading={isBusy}
      disabled={user.disabledAt !== null}
      onConfirm={(fail) =>
        act(
          () => api.POST('/admin/users/{id}/verification', params),
          () => `A verification email is on its way to ${user.email}.`,
          { fail },
        )
      }
    >
      {`The email goes to ${user.email}. Earlier links stay valid.`}
    </ConfirmDialog>
  );
};

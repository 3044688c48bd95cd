import { DialogButton } from '../form/form-dialog';
import { useToast } from '../layout/toasts';
import { api } from '../session';
import type { ApiKey } from './key-queries';

/** Deletes a personal token of the user. */
export function DeleteTokenButton({ token: { id, name, hint } }: { token: ApiKey }) {
  const showToast = useToast();
  return (
    <DialogButton
      button="Delete"
      about={`${name} …${hint}`}
      title={`Delete ${name}?`}
      text="Programs that use it are refused within a second. This can’t be undone."
      submit="Delete"
      isDanger
      send={() => api.DELETE('/users/me/tokens/{id}', { params: { path: { id } } })}
      onDone={() => showToast(`${name} was deleted.`)}
    />
  );
}

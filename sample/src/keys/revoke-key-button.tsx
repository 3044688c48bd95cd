import { DialogButton } from '../form/form-dialog';
import { useToast } from '../layout/toasts';
import { api, useImpersonationBlock } from '../session';
import type { ApiKey } from './key-queries';
import { keyState } from './key-texts';

/** Revokes a key or a personal token that can be used. */
export function RevokeKeyButton({ apiKey }: { apiKey: ApiKey }) {
  const showToast = useToast();
  const blocked = useImpersonationBlock();
  const { id, name, hint } = apiKey;
  if (!['active', 'replaced'].includes(keyState(apiKey))) return null;
  return (
    <DialogButton
      button="Revoke"
      about={`${name} …${hint}`}
      disabledReason={blocked}
      title={`Revoke ${name}?`}
      text="Programs that use it are refused within a second. This can’t be undone."
      submit="Revoke"
      isDanger
      send={() => api.DELETE('/tenants/current/keys/{id}', { params: { path: { id } } })}
      onDone={() => showToast(`${name} was revoked.`)}
    />
  );
}

import { useState } from 'react';
import { DialogButton } from '../form/form-dialog';
import { OverlapField } from '../form/overlap-field';
import { api, useImpersonationBlock } from '../session';
import type { ApiKey } from './key-queries';
import { keyState } from './key-texts';
import { NewKeyDialog } from './new-key-dialog';

/** Replaces a key by one with the same permissions and limits, and shows the new one. */
export function ReplaceKeyButton({ apiKey }: { apiKey: ApiKey }) {
  const [newKey, setNewKey] = useState<string>();
  const blocked = useImpersonationBlock();
  const { id, name, hint } = apiKey;
  // The dialog stays open after the refetched list says that the old key was replaced.
  if (newKey) return <NewKeyDialog title="Key replaced" secret={newKey} done={() => setNewKey(undefined)} />;
  if (keyState(apiKey) !== 'active') return null;
  return (
    <DialogButton
      button="Replace"
      about={`${name} …${hint}`}
      disabledReason={blocked}
      title={`Replace ${name}?`}
      text={
        'You get a new key with the same permissions and limits. For the time that you choose both can be used, so ' +
        'that you can change your program over.'
      }
      submit="Replace"
      send={({ overlapHours }) =>
        api.POST('/tenants/current/keys/{id}/rotate', {
          params: { path: { id } },
          body: { overlapHours: Number(overlapHours) },
        })
      }
      onDone={({ key }) => setNewKey(key)}
    >
      <OverlapField label="Old key can be used for" />
    </DialogButton>
  );
}

import type { Answer } from '@tenantry/client';
import { useState } from 'react';
import { DialogButton } from '../form/form-dialog';
import { OverlapField } from '../form/overlap-field';
import { SecretDialog } from '../form/secret-dialog';
import { useImpersonationBlock } from '../session';
import { SecretUse } from './secret-use';

export interface RotateSecretProps {
  /** Replaces the keys. @param body for how many hours the old ones are used, too */
  readonly rotate: (body: { readonly overlapHours: number }) => Promise<Answer<{ readonly secret: string }>>;
}

/** Replaces the keys of a receiver, and shows the new secret. */
export function RotateSecretButton({ rotate }: RotateSecretProps) {
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <DialogButton
        button="Replace secret"
        disabledReason={useImpersonationBlock()}
        title="Replace the secret?"
        text={
          'You get a new secret and a new public key. For the time that you choose, messages are signed with the old ' +
          'ones, too, so that your server can change over without missing anything.'
        }
        submit="Replace secret"
        send={({ overlapHours }) => rotate({ overlapHours: Number(overlapHours) })}
        onDone={(replaced) => setSecret(replaced.secret)}
      >
        <OverlapField label="Old secret can be used for" />
      </DialogButton>
      {secret && (
        <SecretDialog title="Secret replaced" noun="signing secret" secret={secret} done={() => setSecret(undefined)}>
          <SecretUse />
        </SecretDialog>
      )}
    </>
  );
}

import { useState } from 'react';
import { DialogButton } from '../form/form-dialog';
import { OverlapField } from '../form/overlap-field';
import { SecretDialog } from '../form/secret-dialog';
import { api, useImpersonationBlock } from '../session';
import { SecretUse } from './secret-use';
import type { Webhook } from './webhook-queries';

/** Replaces the keys of an endpoint, and shows the new secret. */
export function RotateSecretButton({ webhook: { id } }: { webhook: Webhook }) {
  const [secret, setSecret] = useState<string>();
  const params = { path: { id } };
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
        send={({ overlapHours }) =>
          api.POST('/tenants/current/webhooks/{id}/rotate-secret', {
            params,
            body: { overlapHours: Number(overlapHours) },
          })
        }
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

import { Box } from '@mui/material';
import { dateTime, isPast } from '../date-format';
import { MONOSPACE } from '../form/code-fields';
import { CopyButton } from '../form/copy-button';
import { FactList } from '../layout/fact-list';
import { Section } from '../layout/page';
import { RotateSecretButton } from './rotate-secret-button';
import type { Webhook } from './webhook-queries';

/** How receivers verify what an endpoint gets. */
export function WebhookSigning({ webhook }: { webhook: Webhook }) {
  const { publicKey, oldKeysUntil } = webhook;
  const key = (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, flexWrap: 'wrap' }}>
      <Box component="span" sx={{ fontFamily: MONOSPACE, fontSize: '0.8125rem', minWidth: 0 }}>
        {publicKey}
      </Box>
      <CopyButton label="Copy public key" text={publicKey} />
    </Box>
  );
  const facts = [
    { name: 'Secret', value: 'Shown once, when it was created' },
    { name: 'Public key', value: key },
    {
      name: 'Previous keys',
      value:
        oldKeysUntil && !isPast(oldKeysUntil) && `Messages are signed with them, too, until ${dateTime(oldKeysUntil)}`,
    },
  ];
  return (
    <Section
      title="Signatures"
      text="Each request is signed. Your server verifies it with the secret, or with the public key."
      action={<RotateSecretButton webhook={webhook} />}
    >
      <FactList facts={facts} />
    </Section>
  );
}

import { Box } from '@mui/material';
import { dateTime, isPast } from '../date-format';
import { MONOSPACE } from '../form/code-fields';
import { CopyButton } from '../form/copy-button';
import { FactList } from '../layout/fact-list';
import { Section } from '../layout/page';
import type { Receiver } from './receiver-texts';
import { RotateSecretButton, type RotateSecretProps } from './rotate-secret-button';

interface ReceiverSigningProps extends RotateSecretProps {
  readonly receiver: Receiver;
}

/** How receivers verify what they get. */
export function ReceiverSigning({ receiver: { publicKey, oldKeysUntil }, rotate }: ReceiverSigningProps) {
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
      action={<RotateSecretButton rotate={rotate} />}
    >
      <FactList facts={facts} />
    </Section>
  );
}

import { Chip } from '@mui/material';
import { type Receiver, type ReceiverKind, stopWord } from './receiver-texts';

interface ReceiverStateProps {
  /** `verifiedAt` is null for one whose receiver has not answered its challenge. */
  readonly receiver: Receiver & { readonly verifiedAt?: string | null };
  readonly kind: ReceiverKind;
}

/** Whether a receiver gets something, in a word. */
export function ReceiverStateChip({ receiver, kind }: ReceiverStateProps) {
  if (receiver.disabledAt) return <Chip size="small" variant="outlined" label={stopWord(receiver, kind)} />;
  if (receiver.verifiedAt === null)
    return <Chip size="small" variant="outlined" color="warning" label="Not verified" />;
  if (receiver.failingSince) return <Chip size="small" variant="outlined" color="error" label="Failing" />;
  return <Chip size="small" variant="outlined" color="success" label={kind.active} />;
}

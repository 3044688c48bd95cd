import { Chip } from '@mui/material';
import { type Receiver, type ReceiverKind, stopWord } from './receiver-texts';

interface ReceiverStateProps {
  readonly receiver: Receiver;
  readonly kind: ReceiverKind;
}

/** Whether a receiver gets something, in a word. */
export function ReceiverStateChip({ receiver, kind }: ReceiverStateProps) {
  if (receiver.disabledAt) return <Chip size="small" variant="outlined" label={stopWord(receiver, kind)} />;
  if (receiver.failingSince) return <Chip size="small" variant="outlined" color="error" label="Failing" />;
  return <Chip size="small" variant="outlined" color="success" label={kind.active} />;
}

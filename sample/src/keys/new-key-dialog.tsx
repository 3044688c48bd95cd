import { Typography } from '@mui/material';
import { SecretDialog } from '../form/secret-dialog';
import { CodeBlock } from '../layout/code-block';

interface NewKeyDialogProps {
  readonly title: string;
  readonly noun?: 'key' | 'token';
  readonly secret: string;
  readonly done: () => void;
}

/** A new key, once, and how it is sent. */
export const NewKeyDialog = ({ noun = 'key', ...dialog }: NewKeyDialogProps) => (
  <SecretDialog {...dialog} noun={noun}>
    <Typography variant="body2" color="textSecondary">
      Programs send it as a header, never in an address:
    </Typography>
    <CodeBlock label="Header" text={`Authorization: Bearer <${noun}>`} />
  </SecretDialog>
);

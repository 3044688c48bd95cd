import { Alert, Box, Button, Dialog, DialogActions, DialogContent, DialogTitle, Stack } from '@mui/material';
import { useId, type ReactNode } from 'react';
import { MONOSPACE } from './code-fields';
import { CopyButton } from './copy-button';

interface SecretDialogProps {
  readonly title: string;
  /** What it is, in the middle of a sentence. */
  readonly noun: string;
  readonly secret: string;
  /** What it is used for. */
  readonly children?: ReactNode;
  readonly done: () => void;
}

/** A new secret, once. Only the button closes the dialog, not a click beside it. */
export function SecretDialog({ title, noun, secret, children, done }: SecretDialogProps) {
  const titleId = useId();
  return (
    <Dialog open fullWidth maxWidth="sm" aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent>
        <Stack spacing={2} sx={{ alignItems: 'flex-start' }}>
          <Alert severity="warning" sx={{ alignSelf: 'stretch' }}>
            Copy the {noun} now and keep it where you keep passwords. It is not shown again.
          </Alert>
          <Box component="output" aria-label={noun} sx={SECRET}>
            {secret}
          </Box>
          <CopyButton label={`Copy ${noun}`} text={secret} variant="outlined" autoFocus />
          {children}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={done}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const SECRET = {
  alignSelf: 'stretch',
  p: 1.5,
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  bgcolor: 'background.default',
  fontFamily: MONOSPACE,
  fontSize: '0.875rem',
  overflowWrap: 'anywhere',
};

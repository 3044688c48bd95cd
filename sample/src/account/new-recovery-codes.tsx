import Download from '@mui/icons-material/FileDownloadOutlined';
import {
  Box,
  Button,
  Checkbox,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  FormControlLabel,
  Stack,
} from '@mui/material';
import { useId, useState } from 'react';
import { MONOSPACE } from '../form/code-fields';
import { CopyButton } from '../form/copy-button';
import { useClaims } from '../session';

interface NewRecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onSaved: () => void;
}

/** New recovery codes, once. Only the button closes the dialog, not a click beside it. */
export function NewRecoveryCodes({ codes, onSaved }: NewRecoveryCodesProps) {
  const [isSaved, setSaved] = useState(false);
  const email = useClaims()?.email;
  const titleId = useId();
  return (
    <Dialog open fullWidth maxWidth="sm" aria-labelledby={titleId}>
      <DialogTitle id={titleId}>Save your recovery codes</DialogTitle>
      <DialogContent>
        <Stack spacing={2}>
          <DialogContentText>
            If you lose your phone, each of these codes signs you in once. Keep them where you can reach them without
            it, such as in a password manager. They are not shown again.
          </DialogContentText>
          <Box component="ul" sx={CODES}>
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </Box>
          <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
            <CopyButton label="Copy codes" text={codes.join('\n')} variant="outlined" />
            <Button
              variant="outlined"
              size="small"
              startIcon={<Download />}
              href={`data:text/plain;charset=utf-8,${encodeURIComponent(fileText(codes, email))}`}
              download="tenantry-recovery-codes.txt"
            >
              Download
            </Button>
          </Stack>
          <FormControlLabel
            control={<Checkbox checked={isSaved} onChange={(_event, checked) => setSaved(checked)} />}
            label="I have saved my recovery codes"
          />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" disabled={!isSaved} onClick={onSaved}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const CODES = {
  m: 0,
  p: 2,
  listStyle: 'none',
  display: 'grid',
  gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' },
  justifyItems: 'center',
  gap: 1,
  bgcolor: 'background.default',
  borderRadius: 1,
  fontFamily: MONOSPACE,
  fontSize: '0.875rem',
};

const fileText = (codes: readonly string[], email = '') =>
  [`Tenantry recovery codes for ${email}`, 'Each code signs you in once.', '', ...codes, ''].join('\n');

import { Box, Button, Checkbox, FormControlLabel, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { CopyButton } from '../components/copy-button';

interface NewRecoveryCodesProps {
  readonly email: string;
  readonly codes: readonly string[];
  readonly onSaved: () => Promise<void>;
}

/** New recovery codes, which are shown only now. */
export const NewRecoveryCodes = ({ email, codes, onSaved }: NewRecoveryCodesProps) => {
  const [isSaved, setIsSaved] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const finish = async () => {
    setIsBusy(true);
    await onSaved();
    setIsBusy(false);
  };
  return (
    <Stack sx={{ gap: 2, width: '100%' }}>
      <Typography>
        If you lose your phone, each of these codes signs you in once. Keep them apart from it, such as in a password
        manager. They are not shown again.
      </Typography>
      <Box component="ul" sx={CODES}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Box>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center' }}>
        <Button variant="outlined" href={fileOf(codes, email)} download="tenantry-recovery-codes.txt">
          Download
        </Button>
        <CopyButton name="Codes" value={codes.join('\n')} />
      </Stack>
      <FormControlLabel
        control={
          <Checkbox
            checked={isSaved}
            onChange={(_event, checked) => setIsSaved(checked)}
            slotProps={{ input: { 'aria-label': SAVED } }} // the theme has another one for tables
          />
        }
        label={SAVED}
      />
      <Button
        variant="contained"
        size="large"
        disabled={!isSaved}
        loading={isBusy}
        onClick={() => {
          void finish();
        }}
      >
        Open the panel
      </Button>
    </Stack>
  );
};

const SAVED = 'I have saved my recovery codes';

const fileOf = (codes: readonly string[], email: string): string => {
  const lines = [`Tenantry recovery codes for ${email}`, 'Each code signs you in once.', '', ...codes, ''];
  return `data:text/plain;charset=utf-8,${encodeURIComponent(lines.join('\n'))}`;
};

const CODES = {
  m: 0,
  p: 2,
  listStyle: 'none',
  bgcolor: 'background.default',
  borderRadius: 1,
  fontFamily: 'monospace',
  fontSize: '0.875rem',
  lineHeight: 1.8,
  textAlign: 'center',
};

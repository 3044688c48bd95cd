import { Alert, Button, Stack, Typography } from '@mui/material';
import { useMutation } from '@tanstack/react-query';
import type { ApiError } from '@tenantry/client';
import { useState } from 'react';
import { Section } from '../layout/page';
import { useToast } from '../layout/toasts';
import { errorMessage } from '../messages';
import { useImpersonationBlock } from '../session';
import { downloadData } from './data-download';

/** Downloads what is stored about the user. */
export function DataExport() {
  const showToast = useToast();
  const blocked = useImpersonationBlock();
  const [received, setReceived] = useState(0);
  const download = useMutation<undefined, ApiError>({
    meta: { isShown: true },
    mutationFn: async () => {
      setReceived(0);
      await downloadData(setReceived);
    },
    onSuccess: () => showToast('Your data was downloaded.'),
  });
  return (
    <Section
      title="Your data"
      text={
        blocked ??
        'A file with what is stored about you: your profile, sign-ins, memberships, notifications and what you did.'
      }
    >
      {!blocked && (
        <Stack spacing={2} sx={{ alignItems: 'flex-start' }}>
          <Button
            variant="outlined"
            color="inherit"
            loading={download.isPending}
            onClick={() => download.mutate(undefined)}
          >
            Download your data
          </Button>
          {download.isPending && received > 0 && (
            <Typography role="status" variant="body2" color="textSecondary">
              {Math.ceil(received / 1000)} kB received
            </Typography>
          )}
          {download.error && <Alert severity="error">{errorMessage(download.error)}</Alert>}
        </Stack>
      )}
    </Section>
  );
}

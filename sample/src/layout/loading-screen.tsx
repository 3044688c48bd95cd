import type { Failure } from '@tenantry/client';
import { Button, CircularProgress, Stack } from '@mui/material';
import { ErrorAlert } from '../form/error-alert';
import { AuthLayout } from '../sign-in/auth-layout';

/** Shown while the session or the code of a page is loading. */
export const LoadingScreen = () => (
  <Stack role="status" aria-label="Loading" sx={{ alignItems: 'center', py: '30vh' }}>
    <CircularProgress aria-hidden />
  </Stack>
);

/** Shown when the session can't be loaded. */
export const Unreachable = ({ failure, retry }: { failure: Failure; retry: () => void }) => (
  <AuthLayout title="Can’t connect">
    <ErrorAlert failure={failure}>
      <Button color="inherit" variant="outlined" onClick={retry}>
        Try again
      </Button>
    </ErrorAlert>
  </AuthLayout>
);

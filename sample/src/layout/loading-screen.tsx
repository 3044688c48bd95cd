import type { Failure } from '@tenantry/client';
import { Button, CircularProgress, Stack } from '@mui/material';
import { ErrorAlert } from '../form/error-alert';
import { AuthLayout } from '../sign-in/auth-layout';

/** While it is not known yet who is here, or a page is on its way. */
export const LoadingScreen = () => (
  <Stack role="status" aria-label="Loading" sx={{ alignItems: 'center', py: '30vh' }}>
    <CircularProgress aria-hidden />
  </Stack>
);

/** The service could not be asked who is here. */
export const Unreachable = ({ failure, retry }: { failure: Failure; retry: () => void }) => (
  <AuthLayout title="Just a moment">
    <ErrorAlert failure={failure}>
      <Button color="inherit" variant="outlined" onClick={retry}>
        Try again
      </Button>
    </ErrorAlert>
  </AuthLayout>
);

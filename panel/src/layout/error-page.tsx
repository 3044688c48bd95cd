import { Alert, AlertTitle, Button } from '@mui/material';
import { errorMessageOf } from '../error-message';

/**
 * A page that could not be drawn; most often its script is gone, since a newer version was deployed
 * meanwhile.
 */
export const ErrorPage = ({ error }: { error: unknown }) => (
  <Alert
    severity="error"
    sx={{ m: 2 }}
    action={
      <Button color="inherit" onClick={() => window.location.reload()}>
        Load again
      </Button>
    }
  >
    <AlertTitle>This page could not be shown</AlertTitle>
    {errorMessageOf(error).sentence}
  </Alert>
);

import { Alert, AlertTitle, Button } from '@mui/material';
import { errorMessageOf } from '../error-message';

/** The page for a render error; most often a script is gone because a new version was deployed. */
export const ErrorPage = ({ error }: { error: unknown }) => (
  <Alert
    severity="error"
    sx={{ m: 2 }}
    action={
      <Button color="inherit" onClick={() => window.location.reload()}>
        Reload
      </Button>
    }
  >
    <AlertTitle>This page could not be loaded</AlertTitle>
    {errorMessageOf(error).sentence}
  </Alert>
);

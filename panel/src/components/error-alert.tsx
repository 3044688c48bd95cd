import { Alert, Button, Typography } from '@mui/material';
import { errorMessageOf } from '../error-message';

interface ErrorAlertProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** An error in place of the content, with a button to try again. A form can focus it. */
export const ErrorAlert = ({ error, onRetry }: ErrorAlertProps) => {
  const { sentence, requestId } = errorMessageOf(error);
  const retry = onRetry && (
    <Button color="inherit" onClick={onRetry}>
      Try again
    </Button>
  );
  return (
    <Alert severity="error" action={retry} tabIndex={-1}>
      {sentence}
      {requestId && (
        <Typography variant="caption" component="div" sx={{ mt: 0.5, overflowWrap: 'anywhere' }}>
          Request {requestId}
        </Typography>
      )}
    </Alert>
  );
};

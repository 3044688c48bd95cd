import { Button } from '@mui/material';
import { useNavigate } from 'react-router';
import { AuthLayout } from './auth-layout';
import { useReturnPath } from './return-path';

/** Shown when the ticket of a sign-in is not accepted any more. */
export function ExpiredSignIn() {
  const to = useReturnPath();
  const navigate = useNavigate();
  return (
    <AuthLayout
      title="This sign-in has expired"
      text="For security, a sign-in must be completed within five minutes and with at most five tries."
    >
      <Button
        fullWidth
        autoFocus
        variant="contained"
        onClick={() => {
          void navigate(`/login?to=${encodeURIComponent(to)}`);
        }}
      >
        Start again
      </Button>
    </AuthLayout>
  );
}

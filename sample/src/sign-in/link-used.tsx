import { Button } from '@mui/material';
import { Link } from 'react-router';
import { AuthLayout } from './auth-layout';

/** The secret of a mailed link is not kept anywhere: a reload forgets it. */
export const LinkUsed = () => (
  <AuthLayout
    title="Open the link once more"
    text="For your safety, what the link carried is forgotten when the page is reloaded. Open it from the mail again."
  >
    <Button component={Link} to="/" fullWidth variant="contained">
      Go to log in
    </Button>
  </AuthLayout>
);

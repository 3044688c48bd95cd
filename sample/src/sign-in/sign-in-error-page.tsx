import type { ErrorCode } from '@tenantry/client';
import { Button, Stack } from '@mui/material';
import { Link, Navigate } from 'react-router';
import { messageForCode } from '../messages';
import { AuthLayout } from './auth-layout';

/** Where a new mail is to be had. */
const AGAIN: Partial<Record<ErrorCode, { to: string; caption: string }>> = {
  VERIFICATION_TOKEN_INVALID: { to: '/verification', caption: 'Send a new link' },
  VERIFICATION_TOKEN_EXPIRED: { to: '/verification', caption: 'Send a new link' },
  MAGIC_LINK_INVALID: { to: '/magic-link', caption: 'Send a new link' },
  MAGIC_LINK_EXPIRED: { to: '/magic-link', caption: 'Send a new link' },
};

/** What a redirect of the service told instead of a session, and the way on. */
export function SignInErrorPage({ code }: { code: ErrorCode | undefined }) {
  if (!code) return <Navigate to="/" replace />;
  const again = AGAIN[code];
  return (
    <AuthLayout title="That did not work" text={messageForCode(code)}>
      <Stack spacing={1}>
        {again && (
          <Button variant="contained" component={Link} to={again.to}>
            {again.caption}
          </Button>
        )}
        <Button variant={again ? 'outlined' : 'contained'} component={Link} to="/">
          Go to log in
        </Button>
      </Stack>
    </AuthLayout>
  );
}

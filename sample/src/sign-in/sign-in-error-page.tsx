import type { ErrorCode } from '@tenantry/client';
import { Stack } from '@mui/material';
import { Navigate } from 'react-router';
import { messageForCode } from '../messages';
import { useClaims } from '../session';
import { AlreadySignedIn } from './already-signed-in';
import { AuthLayout } from './auth-layout';
import { ButtonLink } from './button-link';

/** The errors of links, and the page that sends a new one. */
const LINK_ERRORS: Partial<Record<ErrorCode, { title: string; resendAt: string; doneTitle: string }>> = {
  VERIFICATION_TOKEN_INVALID: {
    title: 'This link is no longer valid',
    resendAt: '/verification',
    doneTitle: 'Already verified',
  },
  VERIFICATION_TOKEN_EXPIRED: {
    title: 'This link has expired',
    resendAt: '/verification',
    doneTitle: 'Already verified',
  },
  MAGIC_LINK_INVALID: {
    title: 'This link is no longer valid',
    resendAt: '/magic-link',
    doneTitle: 'You’re already signed in',
  },
  MAGIC_LINK_EXPIRED: {
    title: 'This link has expired',
    resendAt: '/magic-link',
    doneTitle: 'You’re already signed in',
  },
};

/** Shown when the service redirects here with an error instead of a session. */
export function SignInErrorPage({ code }: { code: ErrorCode | undefined }) {
  const claims = useClaims();
  if (!code) return <Navigate to="/" replace />;
  const link = LINK_ERRORS[code];
  if (link && claims) return <AlreadySignedIn title={link.doneTitle} text={doneTextFor(code)} />;
  const title = link?.title ?? (code === 'PROVIDER_DENIED' ? 'Sign-in canceled' : 'Sign-in failed');
  return (
    <AuthLayout title={title} text={messageForCode(code)}>
      <Stack spacing={1}>
        {link && <ButtonLink to={link.resendAt}>Send a new link</ButtonLink>}
        <ButtonLink to="/" variant={link ? 'outlined' : 'contained'}>
          {claims ? 'Continue' : 'Back to sign in'}
        </ButtonLink>
      </Stack>
    </AuthLayout>
  );
}

/** A signed-in user has a verified address. */
const doneTextFor = (code: ErrorCode): string =>
  code.startsWith('VERIFICATION_TOKEN') ? 'Your email address is verified.' : messageForCode(code);

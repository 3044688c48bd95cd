import { Link } from '@mui/material';
import type { ReactNode } from 'react';
import { Link as RouterLink, useLocation } from 'react-router';

interface AuthLinkProps {
  readonly to: string;
  /** What was typed as the email address, for the form of the next page. */
  readonly email?: string;
  readonly children: ReactNode;
}

/** A link between the pages around signing in. It keeps the page to return to afterwards. */
export function AuthLink({ to, email, children }: AuthLinkProps) {
  const { search } = useLocation();
  return (
    <Link component={RouterLink} to={{ pathname: to, search }} state={{ email }}>
      {children}
    </Link>
  );
}

/** The email address that was typed on the previous page. */
export function useTypedEmail(): string | undefined {
  const state = useLocation().state as { email?: unknown } | null;
  return typeof state?.email === 'string' ? state.email : undefined;
}

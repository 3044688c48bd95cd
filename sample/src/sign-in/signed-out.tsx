import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, Outlet } from 'react-router';
import { ErrorBoundary } from '../layout/error-boundary';
import { useToast } from '../layout/toasts';
import { createQueries } from '../queries';
import { useClaims } from '../session';
import { useReturnPath } from './return-path';

/**
 * The pages of who is not signed in; who is, goes on to where they wanted. With `anyone`: pages for
 * both.
 */
export function SignedOut({ anyone = false }: { anyone?: boolean }) {
  const showToast = useToast();
  const [queries] = useState(() => createQueries(showToast));
  const claims = useClaims();
  const to = useReturnPath();
  if (claims && !anyone) return <Navigate to={to} replace />;
  return (
    <QueryClientProvider client={queries}>
      <ErrorBoundary>
        <Outlet />
      </ErrorBoundary>
    </QueryClientProvider>
  );
}

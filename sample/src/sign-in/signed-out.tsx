import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, Outlet } from 'react-router';
import { ErrorBoundary } from '../layout/error-boundary';
import { useToast } from '../layout/toasts';
import { createQueries } from '../queries';
import { useClaims } from '../session';
import { useReturnPath } from './return-path';

/**
 * The pages for visitors. A signed-in user is sent on to the page they asked for.
 * @param anyone also shows the pages to signed-in users
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

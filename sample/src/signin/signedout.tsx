import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, Outlet } from 'react-router';
import { Boundary } from '../frame/boundary';
import { useSay } from '../frame/snack';
import { createQueries } from '../queries';
import { useClaims } from '../session';
import { useReturn } from './return';

/**
 * The pages of who is not signed in; who is, goes on to where they wanted. With `anyone`: pages for
 * both.
 */
export function SignedOut({ anyone = false }: { anyone?: boolean }) {
  const say = useSay();
  const [queries] = useState(() => createQueries(say));
  const claims = useClaims();
  const to = useReturn();
  if (claims && !anyone) return <Navigate to={to} replace />;
  return (
    <QueryClientProvider client={queries}>
      <Boundary>
        <Outlet />
      </Boundary>
    </QueryClientProvider>
  );
}

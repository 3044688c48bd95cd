import type { Claims } from '@tenantry/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { createQueries } from '../queries';
import { api, useClaims } from '../session';
import { Frame } from './frame';
import { useSay } from './snack';

/** The pages of who is signed in; anybody else signs in first, and comes back to where they wanted. */
export function SignedIn() {
  const claims = useClaims();
  const { pathname, search } = useLocation();
  useEndOfImpersonation(claims);
  if (!claims) return <Navigate to={pathname === '/' ? '/login' : `/login?to=${encodeURIComponent(pathname + search)}`} replace />;
  // Another person or tenant: everything begins anew, so that nothing of the one is ever shown to the other.
  return <Owned key={`${claims.sub} ${claims.tenant_id} ${claims.impersonator_id}`} />;
}

function Owned() {
  const say = useSay();
  const [queries] = useState(() => createQueries(say));
  return (
    <QueryClientProvider client={queries}>
      <Frame />
    </QueryClientProvider>
  );
}

/** However it ends, by the button or by the clock: the operator is told, and their own session goes on if this browser has one. */
function useEndOfImpersonation(claims: Claims | null): void {
  const say = useSay();
  const actedAs = claims?.impersonator_id ? claims.name : undefined;
  useEffect(() => {
    if (!actedAs) return;
    return () => {
      say(`You no longer act as ${actedAs}. You can close this tab.`);
      if (!api.session.claims()) void api.session.restore();
    };
  }, [actedAs, say]);
}

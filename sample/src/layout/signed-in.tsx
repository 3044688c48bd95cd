import type { Claims } from '@tenantry/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { createQueries } from '../queries';
import { api, useClaims } from '../session';
import { errorMessage } from '../messages';
import { AppLayout } from './app-layout';
import { useToast } from './toasts';
import { LoadingScreen } from './loading-screen';

/**
 * The pages of who is signed in; anybody else signs in first, and comes back to where they wanted.
 */
export function SignedIn() {
  const claims = useClaims();
  const { pathname, search } = useLocation();
  useEndOfImpersonation(claims);
  const isSwitching = useNamedTenant(claims);
  if (!claims)
    return <Navigate to={pathname === '/' ? '/login' : `/login?to=${encodeURIComponent(pathname + search)}`} replace />;
  if (isSwitching) return <LoadingScreen />;
  // Another person or tenant: everything begins anew, so that nothing of the one is ever shown to
  // the other.
  return <UserScope key={`${claims.sub} ${claims.tenant_id} ${claims.impersonator_id}`} />;
}

function UserScope() {
  const showToast = useToast();
  const [queries] = useState(() => createQueries(showToast));
  return (
    <QueryClientProvider client={queries}>
      <AppLayout />
    </QueryClientProvider>
  );
}

/**
 * A mailed link names the workspace that it is about: that one is made active, and the address
 * loses its name.
 * @returns whether that is still under way: nothing of another workspace is shown meanwhile
 */
function useNamedTenant(claims: Claims | null): boolean {
  const showToast = useToast();
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const named = search.get('tenant');
  const active = claims?.tenant_id;
  const isSignedIn = claims !== null;
  useEffect(() => {
    if (!isSignedIn || named === null) return;
    if (named === active) return setSearch((all) => (all.delete('tenant'), all), { replace: true });
    let isLeft = false;
    void api.POST('/auth/switch-tenant', { body: { tenantId: named } }).then((answer) => {
      if (answer.ok || isLeft) return;
      const { error } = answer;
      const isStranger = error.code === 'NOT_FOUND' || error.code === 'VALIDATION_ERROR';
      showToast(
        isStranger
          ? 'That link is about a workspace of which you are not a member. Is this the right account?'
          : errorMessage(error),
      );
      void navigate('/', { replace: true });
    });
    return () => void (isLeft = true);
  }, [isSignedIn, named, active, showToast, navigate, setSearch]);
  return isSignedIn && named !== null && named !== active;
}

/**
 * However it ends, by the button or by the clock: the operator is told, and their own session goes
 * on if this browser has one.
 */
function useEndOfImpersonation(claims: Claims | null): void {
  const showToast = useToast();
  const actedAs = claims?.impersonator_id ? claims.name : undefined;
  useEffect(() => {
    if (!actedAs) return;
    return () => {
      showToast(`You no longer act as ${actedAs}. You can close this tab.`);
      if (!api.session.claims()) void api.session.restore();
    };
  }, [actedAs, showToast]);
}

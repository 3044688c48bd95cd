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

/** The pages for signed-in users. Anybody else signs in first and then returns to the page. */
export function SignedIn() {
  const claims = useClaims();
  const { pathname, search } = useLocation();
  useEndOfImpersonation(claims);
  const isSwitching = useNamedTenant(claims);
  if (!claims)
    return <Navigate to={pathname === '/' ? '/login' : `/login?to=${encodeURIComponent(pathname + search)}`} replace />;
  if (isSwitching) return <LoadingScreen />;
  // The key resets all state for another user or tenant: neither ever sees data of the other.
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
 * Links in emails name their workspace (`?tenant=`): it becomes the active one.
 * @returns whether the switch is in progress: no other workspace is shown meanwhile
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
    if (named === active) {
      setSearch(withoutTenant, { replace: true });
      return;
    }
    let isLeft = false;
    void api.POST('/auth/switch-tenant', { body: { tenantId: named } }).then((answer) => {
      if (answer.ok || isLeft) return;
      const { error } = answer;
      const isNotMember = error.code === 'NOT_FOUND' || error.code === 'VALIDATION_ERROR';
      showToast(
        isNotMember
          ? 'You’re not a member of the workspace that this link belongs to. Are you signed in to the right account?'
          : errorMessage(error),
      );
      void navigate('/', { replace: true });
    });
    return () => {
      isLeft = true;
    };
  }, [isSignedIn, named, active, showToast, navigate, setSearch]);
  return isSignedIn && named !== null && named !== active;
}

/** When an impersonation expires, the operator's own session continues if this browser has one. */
function useEndOfImpersonation(claims: Claims | null): void {
  const showToast = useToast();
  const impersonated = claims?.impersonator_id ? claims.name : undefined;
  useEffect(() => {
    if (!impersonated) return;
    return () => {
      showToast(`The impersonation of ${impersonated} has ended.`);
      if (!api.session.claims()) void api.session.restore();
    };
  }, [impersonated, showToast]);
}

function withoutTenant(search: URLSearchParams): URLSearchParams {
  search.delete('tenant');
  return search;
}

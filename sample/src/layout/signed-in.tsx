import type { Claims } from '@tenantry/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { createQueries } from '../queries';
import { api, forgetSignOut, hasSignedOutHere, useClaims } from '../session';
import { ENDED_SESSION } from '../sign-in/ended-session';
import { StepUpHost } from '../step-up/step-up-host';
import { workspaceIn } from '../workspace-path';
import { AppLayout } from './app-layout';
import { OpenWorkspace } from './open-workspace';
import { useToast } from './toasts';

/** The pages for signed-in users. Anybody else signs in first and then returns to the page. */
export function SignedIn() {
  const claims = useClaims();
  const [wasSignedIn] = useState(claims !== null && !claims.impersonator_id);
  useEffect(forgetSignOut, []);
  const { pathname, search } = useLocation();
  useEndOfImpersonation(claims);
  if (!claims) {
    const to = pathname === '/' ? '/login' : `/login?to=${encodeURIComponent(pathname + search)}`;
    return <Navigate to={to} state={wasSignedIn && !hasSignedOutHere() ? ENDED_SESSION : undefined} replace />;
  }
  const named = workspaceIn(pathname);
  if (named !== undefined && named !== claims.tenant_id)
    return <OpenWorkspace key={`${claims.sub} ${named}`} tenantId={named} />;
  // The key resets all state for another user or tenant: neither ever sees data of the other.
  return <UserScope key={`${claims.sub} ${claims.tenant_id} ${claims.impersonator_id}`} />;
}

function UserScope() {
  const showToast = useToast();
  const [queries] = useState(() => createQueries(showToast));
  return (
    <QueryClientProvider client={queries}>
      <AppLayout />
      <StepUpHost />
    </QueryClientProvider>
  );
}

/**
 * When an impersonation expires, the operator's own session continues if this browser has one, in
 * the operator's own workspace.
 */
function useEndOfImpersonation(claims: Claims | null): void {
  const showToast = useToast();
  const navigate = useNavigate();
  const impersonated = claims?.impersonator_id ? claims.name : undefined;
  // Not among the dependencies of the effect: `navigate` is another function on each page.
  const end = useEffectEvent((name: string) => {
    showToast(`The impersonation of ${name} has ended.`);
    void navigate('/', { replace: true });
    if (!api.session.claims()) void api.session.restore();
  });
  useEffect(() => (impersonated ? () => end(impersonated) : undefined), [impersonated]);
}

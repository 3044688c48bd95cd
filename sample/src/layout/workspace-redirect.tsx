import type { ReactNode } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router';
import { useClaims } from '../session';
import { workspacePath } from '../workspace-path';

/**
 * An address without a workspace: of a link in an email, which names the workspace as `?tenant=`,
 * of the return from checkout, and of old bookmarks. It leads to the same page in that workspace,
 * else in the one that this tab was in.
 * @param children shown to users without a workspace
 */
export function WorkspaceRedirect({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const active = useClaims()?.tenant_id;
  const tenantId = search.get('tenant') ?? active;
  if (!tenantId) return children;
  const others = new URLSearchParams([...search].filter(([name]) => name !== 'tenant')).toString();
  return <Navigate to={workspacePath(tenantId, pathname) + (others && `?${others}`)} replace />;
}

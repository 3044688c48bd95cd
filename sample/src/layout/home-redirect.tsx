import { Navigate } from 'react-router';
import { useClaims } from '../session';
import { workspacePath } from '../workspace-path';
import { useNavigationItems } from './navigation';
import { NoWorkspace } from './new-workspace';

/**
 * Opens the first page of the workspace that the user's role may see. Users without a workspace see
 * how they get one.
 */
export default function HomeRedirect() {
  const tenantId = useClaims()?.tenant_id;
  const page = useNavigationItems()[0]?.to ?? '/account';
  return tenantId ? <Navigate to={workspacePath(tenantId, page)} replace /> : <NoWorkspace />;
}

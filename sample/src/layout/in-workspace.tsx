import { Outlet } from 'react-router';
import { useClaims } from '../session';
import { NoWorkspace } from './new-workspace';

/** The pages of the active workspace. Users without one see how they get one. */
export function InWorkspace() {
  return useClaims()?.tenant_id === undefined ? <NoWorkspace /> : <Outlet />;
}

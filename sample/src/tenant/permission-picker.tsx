import { unwrap } from '@tenantry/client';
import { useQuery } from '@tanstack/react-query';
import { QueryResult } from '../list/query-result';
import { api, type Permission, useClaims } from '../session';
import { PermissionAreas, type PermissionPickerProps } from './permission-areas';

/** All permissions by area, with those of a role checked. */
export function PermissionPicker({ chosen, choose }: PermissionPickerProps) {
  const permissions = useQuery({
    queryKey: ['permissions'],
    queryFn: async () => unwrap(await api.GET('/tenants/current/permissions')).items,
  });
  return <QueryResult from={permissions}>{(all) => <PermissionAreas {...{ all, chosen, choose }} />}</QueryResult>;
}

/** The permissions that the user has, with those checked that a key gets. */
export function HeldPermissionPicker({ chosen, choose }: PermissionPickerProps) {
  const held = (useClaims()?.permissions ?? []) as readonly Permission[];
  return <PermissionAreas {...{ chosen, choose }} all={held.map((name) => ({ name, description: name }))} />;
}

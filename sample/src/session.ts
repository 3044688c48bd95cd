import { createClient, type Claims, type Schemas } from '@tenantry/client';
import { useSyncExternalStore } from 'react';

/**
 * The service that this page comes from. The refresh token stays in a cookie that no script can
 * read, the access token in memory.
 */
export const api = createClient({ baseUrl: '', session: { keep: 'cookie' } });

export type Permission = Schemas['PermissionView']['name'];

/** Who is signed in; another tab's sign-out, switch or refresh shows at once. */
export function useClaims(): Claims | null {
  return useSyncExternalStore(api.session.subscribe, api.session.claims);
}

/**
 * Whether the role holds a permission. It decides what is offered; what is allowed, the service
 * decides.
 */
export function useHasPermission(): (permission: Permission) => boolean {
  const claims = useClaims();
  return (permission) => claims?.permissions.includes(permission) ?? false;
}

/**
 * Why a control is disabled that an operator who acts for somebody is refused; undefined: nobody
 * does.
 */
export function useImpersonationBlock(): string | undefined {
  return useClaims()?.impersonator_id ? 'Not while you act for somebody else.' : undefined;
}

import { applyDecorators, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import type { Permission } from '../../platform/permissions';
import {
  DeclaredAccess,
  ForPeople,
  ForTenant,
  FRESH,
  FreshMinutes,
  IN_TENANT,
  LIVE_SESSION,
  NEEDS,
  NeedsLiveSession,
  NOT_WHILE_IMPERSONATING,
  OWNER_NEEDED,
  PEOPLE_ONLY,
  type Access,
} from './access';
import { AdminGuard, ImpersonationGuard, RoleGuard } from './access.guards';

export const Public = () => DeclaredAccess({ for: 'anyone' });
export const SignedIn = () => applyDecorators(DeclaredAccess({ for: 'signed-in' }), ApiBearerAuth());
export const RequirePermission = (permission: Permission) =>
  restricted({ for: 'permission', permission }, RoleGuard, permission);
export const OwnerOnly = () => restricted({ for: 'owner' }, RoleGuard, OWNER_NEEDED);
export const AdminOnly = () =>
  applyDecorators(NotWhileImpersonating(), restricted({ for: 'admin' }, AdminGuard, 'global admin'));
/**
 * For routes that require a permission, and that a person decides about: 403 API_KEY_NOT_ALLOWED
 * for a key. Routes that require no permission are for people without it.
 */
export const PeopleOnly = () => applyDecorators(ForPeople(true), ApiExtension(PEOPLE_ONLY, true));
export const NotWhileImpersonating = () =>
  applyDecorators(UseGuards(ImpersonationGuard), ApiExtension(NOT_WHILE_IMPERSONATING, true));

/**
 * For routes that require no permission and act in the active tenant: where they need a live
 * session, it must meet the sign-in policy of the tenant.
 */
export const InTenant = () => applyDecorators(ForTenant(true), ApiExtension(IN_TENANT, true));

/**
 * For routes that change sessions, passwords, ownership or sign-in methods, or delete something:
 * 401 SESSION_ENDED if the token's session has ended, and in a tenant 403 if it does not meet the
 * sign-in policy (docs/contract.md, Sessions, Sign-in policy).
 */
export const LiveSession = () => applyDecorators(NeedsLiveSession(true), ApiExtension(LIVE_SESSION, true));

/**
 * For routes that cannot be undone or open a lasting way into an account: 403 STEP_UP_REQUIRED
 * unless the user has proven their identity in this session within so many minutes, by signing in
 * or by POST /auth/step-up. Never with a key or a token of an impersonation.
 */
export const Fresh = (minutes = 10) =>
  applyDecorators(
    LiveSession(),
    NotWhileImpersonating(),
    PeopleOnly(),
    FreshMinutes(minutes),
    ApiExtension(FRESH, minutes),
  );

/** @param needed the requirement as the API document states it */
function restricted(access: Access, guard: typeof RoleGuard | typeof AdminGuard, needed: string) {
  return applyDecorators(DeclaredAccess(access), UseGuards(guard), ApiBearerAuth(), ApiExtension(NEEDS, needed));
}

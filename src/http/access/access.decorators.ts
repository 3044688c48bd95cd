import { applyDecorators, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import type { Permission } from '../../platform/permissions';
import { DeclaredAccess, LIVE_SESSION, NEEDS, NeedsLiveSession, NOT_WHILE_IMPERSONATING, type Access } from './access';
import { AdminGuard, ImpersonationGuard, OwnerGuard, PermissionGuard } from './access.guards';

export const Public = () => DeclaredAccess({ for: 'anyone' });
export const SignedIn = () => applyDecorators(DeclaredAccess({ for: 'signed-in' }), ApiBearerAuth());
export const RequirePermission = (permission: Permission) =>
  restricted({ for: 'permission', permission }, PermissionGuard, permission);
export const OwnerOnly = () => restricted({ for: 'owner' }, OwnerGuard, 'Owner of the active tenant');
export const AdminOnly = () =>
  applyDecorators(NotWhileImpersonating(), restricted({ for: 'admin' }, AdminGuard, 'global admin'));
export const NotWhileImpersonating = () =>
  applyDecorators(UseGuards(ImpersonationGuard), ApiExtension(NOT_WHILE_IMPERSONATING, true));

/**
 * For routes that change sessions, passwords, ownership or sign-in methods, or delete something:
 * 401 SESSION_ENDED if the token's session has ended (docs/contract.md, Sessions).
 */
export const LiveSession = () => applyDecorators(NeedsLiveSession(true), ApiExtension(LIVE_SESSION, true));

/** @param needed the requirement as the API document states it */
function restricted(
  access: Access,
  guard: typeof PermissionGuard | typeof OwnerGuard | typeof AdminGuard,
  needed: string,
) {
  return applyDecorators(DeclaredAccess(access), UseGuards(guard), ApiBearerAuth(), ApiExtension(NEEDS, needed));
}

import { ALL_PERMISSIONS, type Permission } from '../../platform/permissions';
import { skeletonOf } from '../../platform/text/look-alikes';

/**
 * The permissions of the built-in roles (docs/contract.md, Permissions). Their database rows hold
 * no permissions, so that a new permission reaches every tenant with the next deployment.
 */
export const BUILT_IN_ROLES = {
  Owner: ALL_PERMISSIONS,
  Admin: ALL_PERMISSIONS.filter((permission) => permission !== 'tenant.billing.manage'),
  Member: [
    'tenant.settings.read',
    'tenant.members.read',
    'tenant.roles.read',
    'tenant.projects.read',
    'tenant.projects.manage',
  ],
} as const satisfies Record<string, readonly Permission[]>;

export type BuiltInRole = keyof typeof BUILT_IN_ROLES;

/** The part of a role that determines its permissions. */
export interface StoredRole {
  readonly name: string;
  readonly isBuiltIn: boolean;
  readonly permissions: readonly string[];
}

/**
 * The effective permissions of a role, in the order of the catalogue. Strings that are not in the
 * catalogue grant nothing.
 */
export function permissionsOf({ name, isBuiltIn, permissions }: StoredRole): Permission[] {
  const granted: readonly string[] = isBuiltIn ? BUILT_IN_ROLES[name as BuiltInRole] : permissions;
  return ALL_PERMISSIONS.filter((permission) => granted.includes(permission));
}

/**
 * Why a custom role cannot have a name: a built-in role has it, in any case, or one that looks the
 * same, such as with a Cyrillic letter. Undefined if it can.
 */
export function problemOfRoleName(name: string): string | undefined {
  const alike = Object.keys(BUILT_IN_ROLES).find((builtIn) => skeletonOf(builtIn) === skeletonOf(name));
  if (alike === undefined) return undefined;
  return alike.toLowerCase() === name.toLowerCase()
    ? 'is the name of a built-in role'
    : 'looks like the name of a built-in role';
}

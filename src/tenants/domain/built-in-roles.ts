import { ALL_PERMISSIONS, type Permission } from '../../platform/permissions';

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

/** Whether a name is reserved for a built-in role, in any case. */
export function isBuiltInName(name: string): boolean {
  return Object.keys(BUILT_IN_ROLES).some((builtIn) => builtIn.toLowerCase() === name.toLowerCase());
}

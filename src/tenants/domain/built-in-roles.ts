import { ALL_PERMISSIONS, type Permission } from '../../platform/permissions';

/**
 * What the built-in roles may do (contract section 4). Their rows in the database hold no
 * permissions, so that a permission that is added to the catalogue reaches every tenant with the
 * next deployment.
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

/** The parts of a role from which its permissions follow. */
export interface StoredRole {
  readonly name: string;
  readonly isBuiltIn: boolean;
  readonly permissions: readonly string[];
}

/**
 * What the holder of a role may do, in the order of the catalogue. A string that the catalogue no
 * longer has grants nothing.
 */
export function permissionsOf({ name, isBuiltIn, permissions }: StoredRole): Permission[] {
  const granted: readonly string[] = isBuiltIn ? BUILT_IN_ROLES[name as BuiltInRole] : permissions;
  return ALL_PERMISSIONS.filter((permission) => granted.includes(permission));
}

/** Whether a custom role may not be called so: the built-in names are taken, in any case. */
export function isBuiltInName(name: string): boolean {
  return Object.keys(BUILT_IN_ROLES).some((builtIn) => builtIn.toLowerCase() === name.toLowerCase());
}

import type { Permission } from '../../platform/permissions';
import { permissionsOf } from '../domain/built-in-roles';
import type { Role } from '../domain/role';

/** A role with its effective permissions and the number of its members. */
export interface RoleSummary {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly isBuiltIn: boolean;
  readonly memberCount: number;
}

/** Describes a role; `memberCount` is passed because the role does not know its members. */
export function roleSummary(
  role: Pick<Role, 'id' | 'name' | 'isBuiltIn' | 'permissions'>,
  memberCount: number,
): RoleSummary {
  return { id: role.id, name: role.name, permissions: permissionsOf(role), isBuiltIn: role.isBuiltIn, memberCount };
}

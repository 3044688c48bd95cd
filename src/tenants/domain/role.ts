import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { newId } from '../../platform/ids';
import { ALL_PERMISSIONS, type Permission } from '../../platform/permissions';
import { invalid } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { TenantFailures } from '../tenants.failures';
import { BUILT_IN_ROLES, permissionsOf, problemOfRoleName } from './built-in-roles';
import { Tenant } from './tenant';

/** What a member may do in a tenant (docs/specification.md, Role). */
@Entity('roles')
@Unique('roles_tenant_id_id_is_owner_key', ['tenantId', 'id', 'isOwner'])
@Index('roles_tenant_id_name_key', { synchronize: false }) // by an expression, which TypeORM cannot declare
@Check('roles_owner_is_built_in_check', 'is_built_in OR NOT is_owner')
@Check('roles_permissions_check', 'is_built_in OR cardinality(permissions) > 0')
export class Role {
  @ForeignKey(() => Tenant, { name: 'roles_tenant_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'roles_pkey' })
  readonly tenantId!: string;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'roles_pkey' }) readonly id!: string;
  @Column('text') name!: string;
  @Column({ type: 'boolean', update: false }) readonly isBuiltIn!: boolean;
  @Column({ type: 'boolean', update: false }) readonly isOwner!: boolean;
  /** The permissions of a custom role; those of a built-in role are in the code. */
  @Column('text', { array: true }) permissions!: string[];

  /** Creates the built-in roles of a new tenant: Owner, Admin, Member. */
  static builtIn(tenantId: string): Role[] {
    return Object.keys(BUILT_IN_ROLES).map((name) =>
      Object.assign(new Role(), {
        tenantId,
        id: newId(),
        name,
        isBuiltIn: true,
        isOwner: name === 'Owner',
        permissions: [],
      }),
    );
  }

  /** Creates a custom role. VALIDATION_ERROR for a name like that of a built-in role. */
  static custom(tenantId: string, name: string, permissions: readonly Permission[]): Result<Role, 'VALIDATION_ERROR'> {
    const role = Object.assign(new Role(), { tenantId, id: newId(), isBuiltIn: false, isOwner: false });
    const described = role.describe(name, permissions);
    return described.ok ? ok(role) : described;
  }

  /** Changes the name and the permissions. BUILT_IN_ROLE; VALIDATION_ERROR for a built-in name. */
  change(name: string, permissions: readonly Permission[]): Result<void, 'BUILT_IN_ROLE' | 'VALIDATION_ERROR'> {
    const custom = this.mustBeCustom();
    return custom.ok ? this.describe(name, permissions) : custom;
  }

  private describe(name: string, permissions: readonly Permission[]): Result<void, 'VALIDATION_ERROR'> {
    const problem = problemOfRoleName(name);
    if (problem) return err(invalid({ name: [problem] }));
    this.name = name;
    this.permissions = ALL_PERMISSIONS.filter((permission) => permissions.includes(permission));
    return ok();
  }

  /** BUILT_IN_ROLE for a built-in role. */
  mustBeCustom(): Result<void, 'BUILT_IN_ROLE'> {
    return this.isBuiltIn ? err(TenantFailures.builtInRole) : ok();
  }

  /**
   * PERMISSION_NOT_HELD unless all of its permissions are held; always for the Owner role, which
   * cannot be granted.
   */
  mayBeGrantedBy(held: readonly string[]): Result<void, 'PERMISSION_NOT_HELD'> {
    return this.isOwner ? err(TenantFailures.permissionNotHeld) : mustHoldAll(held, permissionsOf(this));
  }
}

/** PERMISSION_NOT_HELD unless `held` contains all of `needed`. */
export function mustHoldAll(held: readonly string[], needed: readonly string[]): Result<void, 'PERMISSION_NOT_HELD'> {
  return holdsAll(held, needed) ? ok() : err(TenantFailures.permissionNotHeld);
}

/** Whether `held` contains all of `needed`. */
export function holdsAll(held: readonly string[], needed: readonly string[]): boolean {
  return needed.every((permission) => held.includes(permission));
}

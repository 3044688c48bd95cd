import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import type { Membership } from '../domain/membership';
import type { Role } from '../domain/role';
import type { Tenant } from '../domain/tenant';

const COLUMNS = `id, name, created_at AS "createdAt"`;

/** One statement: foreign keys are checked when it ends. */
const ADD_TENANT = `
  WITH tenant AS (
    INSERT INTO tenants (id, name, created_at) VALUES ($1, $2, $3)
  ), roles AS (
    INSERT INTO roles (tenant_id, id, name, is_built_in, is_owner, permissions)
    SELECT $1, id, name, "isBuiltIn", "isOwner", permissions
      FROM jsonb_to_recordset($4::jsonb) AS role (id uuid, name text, "isBuiltIn" boolean, "isOwner" boolean,
        permissions text[])
  )
  INSERT INTO memberships (tenant_id, user_id, id, role_id, is_owner, joined_at) VALUES ($1, $5, $6, $7, true, $8)`;

/** Stores tenants. Methods run within the scope of the tenant in question. */
@Injectable()
export class TenantRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Adds a tenant with its roles and its Owner, in one round trip. */
  async add(tenant: Tenant, roles: Role[], owner: Membership): Promise<void> {
    const { userId, id, roleId, joinedAt } = owner;
    await this.unitOfWork.query(ADD_TENANT, [
      tenant.id,
      tenant.name,
      tenant.createdAt,
      JSON.stringify(roles),
      userId,
      id,
      roleId,
      joinedAt,
    ]);
  }

  /** Renames a tenant and returns it. */
  async rename(id: string, name: string): Promise<Tenant> {
    const [tenant] = await this.unitOfWork.query<Tenant>(
      `UPDATE tenants SET name = $2 WHERE id = $1 RETURNING ${COLUMNS}`,
      [id, name],
    );
    return tenant;
  }

  async get(id: string): Promise<Tenant> {
    const [tenant] = await this.unitOfWork.query<Tenant>(`SELECT ${COLUMNS} FROM tenants WHERE id = $1`, [id]);
    return tenant;
  }
}

import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work';

/** Whom to tell what concerns a whole tenant. */
export interface TenantOwner {
  readonly tenantId: string;
  readonly tenantName: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
}

const OWNERS = `
  SELECT m.tenant_id AS "tenantId", t.name AS "tenantName", u.id AS "userId", u.email, u.name
    FROM memberships m JOIN tenants t ON t.id = m.tenant_id JOIN users u ON u.id = m.user_id
   WHERE m.tenant_id = ANY($1::uuid[]) AND m.is_owner`;

/** The Owners of tenants, as they are now. */
@Injectable()
export class TenantOwners {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Of all these tenants, with one statement; call within a scope that sees them. */
  async of(tenantIds: readonly string[]): Promise<Map<string, TenantOwner>> {
    const owners = await this.unitOfWork.query<TenantOwner>(OWNERS, [tenantIds]);
    return new Map(owners.map((owner) => [owner.tenantId, owner]));
  }
}

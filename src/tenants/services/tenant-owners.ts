import { Injectable } from '@nestjs/common';
import { select } from '../../platform/database/select-list';
import { UnitOfWork } from '../../platform/database/unit-of-work';

/** The Owner of a tenant, with the contact data for mails. */
export interface TenantOwner {
  readonly tenantId: string;
  readonly tenantName: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
}

const OWNER = select<TenantOwner>()({
  tenantId: 'm.tenant_id',
  tenantName: 't.name',
  userId: 'u.id',
  email: 'u.email',
  name: 'u.name',
});

const OWNERS = `
  SELECT ${OWNER}
    FROM memberships m JOIN tenants t ON t.id = m.tenant_id JOIN users u ON u.id = m.user_id
   WHERE m.tenant_id = ANY($1::uuid[]) AND m.is_owner`;

/** Reads the current Owners of tenants. */
@Injectable()
export class TenantOwners {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Reads the Owners of several tenants with one statement; the scope must include them. */
  async of(tenantIds: readonly string[]): Promise<Map<string, TenantOwner>> {
    const owners = await this.unitOfWork.query<TenantOwner>(OWNERS, [tenantIds]);
    return new Map(owners.map((owner) => [owner.tenantId, owner]));
  }
}

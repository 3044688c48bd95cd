import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { User } from '../../users/users.api';
import { Membership } from '../domain/membership';
import { Tenant } from '../domain/tenant';

/** The Owner of a tenant, with the contact data for emails. */
export interface TenantOwner {
  readonly tenantId: string;
  readonly tenantName: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** How they read dates (see User). */
  readonly language: string | null;
  readonly timeZone: string | null;
}

/** Reads the current Owners of tenants. */
@Injectable()
export class TenantOwners {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Reads the Owners of several tenants with one statement; the scope must include them. */
  async of(tenantIds: readonly string[]): Promise<Map<string, TenantOwner>> {
    if (tenantIds.length === 0) return new Map();
    const owners = await this.unitOfWork.manager
      .createQueryBuilder(Membership, 'm')
      .innerJoin(Tenant, 't', 't.id = m.tenantId')
      .innerJoin(User, 'u', 'u.id = m.userId')
      .select('t.id', 'tenantId')
      .addSelect('t.name', 'tenantName')
      .addSelect('u.id', 'userId')
      .addSelect('u.email', 'email')
      .addSelect('u.name', 'name')
      .addSelect('u.language', 'language')
      .addSelect('u.timeZone', 'timeZone')
      .where({ tenantId: In([...tenantIds]), isOwner: true })
      .getRawMany<TenantOwner>();
    return new Map(owners.map((owner) => [owner.tenantId, owner]));
  }
}

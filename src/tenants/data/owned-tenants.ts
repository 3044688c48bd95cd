import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Membership } from '../domain/membership';
import { Tenant } from '../domain/tenant';

/** A tenant that a user owns. */
export interface OwnedTenant {
  readonly id: string;
  readonly name: string;
  /** Whether it has members besides the Owner. */
  readonly hasOtherMembers: boolean;
}

/** Lists the tenants that a user owns, at most MAX_TENANTS_PER_USER. */
@Injectable()
export class OwnedTenants {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** In the order in which the user joined; runs across tenants. */
  list(userId: string): Promise<OwnedTenant[]> {
    const { manager } = this.unitOfWork;
    const others = manager
      .createQueryBuilder(Membership, 'o')
      .select('1')
      .where('o.tenantId = m.tenantId AND o.userId <> m.userId');
    return manager
      .createQueryBuilder(Membership, 'm')
      .innerJoin(Tenant, 't', 't.id = m.tenantId')
      .select('t.id', 'id')
      .addSelect('t.name', 'name')
      .addSelect(`EXISTS (${others.getQuery()})`, 'hasOtherMembers')
      .where({ userId, isOwner: true })
      .orderBy('m.joinedAt')
      .addOrderBy('m.tenantId')
      .getRawMany<OwnedTenant>();
  }
}

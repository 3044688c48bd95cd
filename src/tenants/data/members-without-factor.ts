import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { User } from '../../users/users.api';
import { Membership } from '../domain/membership';
import { Tenant } from '../domain/tenant';

/** A member whose account has no second factor, with the contact data for emails. */
export interface MemberWithoutFactor {
  /** The id of the membership, which orders the list. */
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly tenantName: string;
}

/** Lists the members of a tenant who would not meet a policy that asks for a second factor. */
@Injectable()
export class MembersWithoutFactor {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The next members after a membership; in a transaction that sees the tenant. */
  list(tenantId: string, after: string, limit: number): Promise<MemberWithoutFactor[]> {
    return this.unitOfWork.manager
      .createQueryBuilder(Membership, 'm')
      .innerJoin(Tenant, 't', 't.id = m.tenantId')
      .innerJoin(User, 'u', 'u.id = m.userId')
      .select('m.id', 'id')
      .addSelect('u.id', 'userId')
      .addSelect('u.email', 'email')
      .addSelect('u.name', 'name')
      .addSelect('t.name', 'tenantName')
      .where('m.tenantId = :tenantId AND m.id > :after', { tenantId, after })
      .andWhere('NOT u.hasSecondFactor AND u.disabledAt IS NULL')
      .orderBy('m.id')
      .limit(limit)
      .getRawMany<MemberWithoutFactor>();
  }
}

import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Invitation } from '../domain/invitation';
import { Membership } from '../domain/membership';
import { Tenant } from '../domain/tenant';
import { MembershipRepository } from './membership.repository';

/** The seats of a tenant that are taken. */
export interface SeatCount {
  readonly members: number;
  /** Pending invitations; expired ones need no seat. */
  readonly invitations: number;
}

/** Counts the members and the pending invitations of a tenant. */
@Injectable()
export class SeatCounts {
  constructor(
    private readonly memberships: MembershipRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Counts with one statement, in the running transaction, which must see the tenant. */
  async count(tenantId: string): Promise<SeatCount> {
    const counts = await this.unitOfWork.manager
      .createQueryBuilder(Tenant, 't')
      .select((members) => members.select('count(*)::int').from(Membership, 'm').where('m.tenantId = t.id'), 'members')
      .addSelect(
        (pending) =>
          pending.select('count(*)::int').from(Invitation, 'i').where('i.tenantId = t.id AND i.expiresAt > :now'),
        'invitations',
      )
      .where('t.id = :tenantId', { tenantId, now: this.clock.now() })
      .getRawOne<SeatCount>();
    return counts ?? { members: 0, invitations: 0 };
  }

  /** Counts the pending invitations alone, which are few. */
  countInvitations(tenantId: string): Promise<number> {
    return this.unitOfWork.manager.countBy(Invitation, { tenantId, expiresAt: MoreThan(this.clock.now()) });
  }

  /** The members of several tenants, in a transaction that sees them. */
  membersOf(tenantIds: readonly string[]): Promise<Map<string, number>> {
    return this.memberships.countIn(tenantIds);
  }
}

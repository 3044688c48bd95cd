import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { ok, type Result } from '../../../platform/result';
import { InvitationQuota, SeatCounts, type SeatCount } from '../../../tenants/tenants.api';
import { COUNTED_LIMITS, type CountedLimit } from '../domain/plan-limits';
import { PlanUse } from './plan-use';

/** What a tenant uses of its entitlements. */
export interface EntitlementsUsed {
  readonly seats: SeatCount;
  /** Invitation emails of the current day. */
  readonly invitationsPerDay: number;
  readonly counted: Readonly<Record<CountedLimit, number>>;
}

/** Counts what a tenant uses of its entitlements. */
@Injectable()
export class EntitlementUse {
  constructor(
    private readonly planUse: PlanUse,
    private readonly seats: SeatCounts,
    private readonly invitations: InvitationQuota,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** NOT_FOUND. */
  of(tenantId: string): Promise<Result<EntitlementsUsed, 'NOT_FOUND'>> {
    return this.unitOfWork.inTenant({ tenantId }, async () => {
      const count = async (limit: CountedLimit) => [limit, await this.planUse.count(limit, tenantId)];
      const [seats, invitationsPerDay, ...counts] = await Promise.all([
        this.seats.count(tenantId),
        this.invitations.used(tenantId),
        ...COUNTED_LIMITS.map(count),
      ]);
      return ok({ seats, invitationsPerDay, counted: Object.fromEntries(counts) as EntitlementsUsed['counted'] });
    });
  }
}

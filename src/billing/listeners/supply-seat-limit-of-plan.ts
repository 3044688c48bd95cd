import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SeatLimit } from '../../tenants/tenants.api';
import { limitDetails } from '../entitlements/domain/required-plans';
import { PlanCache } from '../entitlements/services/plan-cache';

/** Provides the number of seats that a tenant has to the tenants module. */
@Injectable()
export class SupplySeatLimitOfPlan implements OnModuleInit {
  constructor(
    private readonly seatLimit: SeatLimit,
    private readonly plans: PlanCache,
  ) {}

  onModuleInit(): void {
    this.seatLimit.useSource({
      limitOf: async (tenantId, isFresh) => {
        const { entitlements } = await (isFresh ? this.plans.reload(tenantId) : this.plans.get(tenantId));
        return entitlements.limits.seats;
      },
      details: (most, used) => limitDetails('seats', most, used),
    });
  }
}

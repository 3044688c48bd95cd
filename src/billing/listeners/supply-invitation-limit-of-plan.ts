import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InvitationQuota } from '../../tenants/tenants.api';
import { PLAN_LIMITS } from '../entitlements/domain/plan-limits';
import { PlanCache } from '../entitlements/services/plan-cache';

/**
 * Provides the daily invitation quota of a tenant's plan to the tenants module. On the Free plan
 * the quota also applies per user, across tenants.
 */
@Injectable()
export class SupplyInvitationLimitOfPlan implements OnModuleInit {
  constructor(
    private readonly quota: InvitationQuota,
    private readonly plans: PlanCache,
  ) {}

  onModuleInit(): void {
    this.quota.useSource(async (tenantId) => {
      const { planInForce } = await this.plans.get(tenantId);
      const perTenant = PLAN_LIMITS[planInForce].invitationsPerDay;
      return { perTenant, perUser: planInForce === 'Free' ? perTenant : null };
    });
  }
}

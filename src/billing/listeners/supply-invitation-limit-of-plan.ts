import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InvitationQuota } from '../../tenants/tenants.api';
import { PlanCache } from '../entitlements/services/plan-cache';

/**
 * Provides the daily invitation quota of a tenant's plan to the tenants module. On the Free plan
 * the quota also applies per user, across tenants, unless an operator has set it.
 */
@Injectable()
export class SupplyInvitationLimitOfPlan implements OnModuleInit {
  constructor(
    private readonly quota: InvitationQuota,
    private readonly plans: PlanCache,
  ) {}

  onModuleInit(): void {
    this.quota.useSource(async (tenantId, isFresh) => {
      const { entitlements } = await (isFresh ? this.plans.reload(tenantId) : this.plans.get(tenantId));
      const { plan, limits, overridden } = entitlements;
      const perTenant = limits.invitationsPerDay;
      const isLimitedPerUser = plan === 'Free' && !overridden.includes('invitationsPerDay');
      return { perTenant, perUser: isLimitedPerUser ? perTenant : null };
    });
  }
}

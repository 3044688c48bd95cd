import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InvitationQuota } from '../../tenants/tenants.api';
import { PLAN_LIMITS } from '../entitlements/domain/plan';
import { PlanCache } from '../entitlements/services/plan-cache';

/**
 * Tells the tenants module how many invitations a tenant's plan allows in a day. What a person
 * sends is counted where nobody pays for it.
 */
@Injectable()
export class LimitInvitationsByPlan implements OnModuleInit {
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

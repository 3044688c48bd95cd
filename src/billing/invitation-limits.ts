import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InvitationQuota } from '../tenants/tenants.contract';
import { PLAN_LIMITS } from './domain/plan';
import { PlanCache } from './plan-cache';

/** Tells the tenants module how many invitations a tenant's plan allows in a day. */
@Injectable()
export class InvitationLimits implements OnModuleInit {
  constructor(
    private readonly quota: InvitationQuota,
    private readonly plans: PlanCache,
  ) {}

  onModuleInit(): void {
    this.quota.useSource(async (tenantId) => PLAN_LIMITS[(await this.plans.get(tenantId)).planInForce].invitationsPerDay);
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuditRetention } from '../../audit/audit.api';
import { PlanCache } from '../entitlements/services/plan-cache';

/** Provides the days for which a tenant can read its audit log to the audit module. */
@Injectable()
export class SupplyAuditRetentionOfPlan implements OnModuleInit {
  constructor(
    private readonly retention: AuditRetention,
    private readonly plans: PlanCache,
  ) {}

  onModuleInit(): void {
    this.retention.useSource(async (tenantId) => {
      const { entitlements } = await this.plans.get(tenantId);
      return entitlements.limits.auditRetentionDays;
    });
  }
}

import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { readTenantRows } from '../../../platform/database/tenant-row-reader';
import { Subscription } from '../../subscriptions/domain/subscription';
import { EntitlementOverride } from '../domain/entitlement-override';

/** What decides what a tenant may do. */
export interface TenantPlan {
  /** Undefined for a tenant that was never a Stripe customer. */
  readonly subscription: Subscription | undefined;
  /** Undefined for a tenant that never had one. It may have ended. */
  readonly override: EntitlementOverride | undefined;
}

/** Reads a tenant's subscription and the override of an operator with one statement. */
@Injectable()
export class TenantPlanRepository {
  constructor(private readonly database: Database) {}

  async find(tenantId: string): Promise<TenantPlan> {
    const [subscription, override] = await readTenantRows(this.database, [Subscription, EntitlementOverride], tenantId);
    return { subscription: subscription?.trackChanges(), override };
  }
}

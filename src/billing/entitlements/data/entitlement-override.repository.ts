import { Injectable } from '@nestjs/common';
import { unlessViolated } from '../../../platform/database/constraint-violations';
import { EntityRepository } from '../../../platform/database/entity-repository';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { PlatformFailures } from '../../../platform/platform.failures';
import type { Result } from '../../../platform/result';
import { EntitlementOverride } from '../domain/entitlement-override';

/** Stores what operators give to tenants: one row per tenant. */
@Injectable()
export class EntitlementOverrideRepository extends EntityRepository<EntitlementOverride> {
  constructor(unitOfWork: UnitOfWork) {
    super(EntitlementOverride, unitOfWork);
  }

  /**
   * Locks until the transaction ends; null for a tenant that never had one. The lock by name also
   * holds then, so that two first ones come one after the other.
   */
  async lock(tenantId: string): Promise<EntitlementOverride | null> {
    await this.unitOfWork.lockByName(`entitlement-override:${tenantId}`);
    return this.lockOne({ tenantId });
  }

  /** Stores it in place of the previous one. NOT_FOUND if the tenant does not exist. */
  put(override: EntitlementOverride): Promise<Result<void, 'NOT_FOUND'>> {
    const failures = { entitlement_overrides_tenant_id_fkey: PlatformFailures.notFound };
    return unlessViolated(failures, () => this.rows.upsert(override, ['tenantId']));
  }

  /** Saves one that this transaction has locked. */
  async save(override: EntitlementOverride): Promise<void> {
    await this.rows.upsert(override, ['tenantId']);
  }
}

import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { deleteSome } from '../../platform/database/batch-deletion';
import { unlessViolated } from '../../platform/database/constraint-violations';
import { EntityRepository } from '../../platform/database/entity-repository';
import type { Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Tenant } from '../domain/tenant';
import { TenantFailures } from '../tenants.failures';

/** Rows per transaction, so that statements stay short. */
const BATCH = 5000;

/**
 * Finds in the schema the tables whose rows are deleted with a tenant. Tables that others of them
 * refer to come last.
 */
const TABLES = `
  SELECT c.conrelid::regclass::text AS name, quote_ident(a.attname) AS tenant
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
   WHERE c.contype = 'f' AND c.confrelid = 'tenants'::regclass AND c.confdeltype = 'c'
     AND c.conrelid <> 'deleted_tenants'::regclass
   ORDER BY EXISTS (SELECT FROM pg_constraint r WHERE r.contype = 'f' AND r.confrelid = c.conrelid), 1`;

/** From here on, the scope of this tenant shows no rows. */
const HIDE = `
  WITH hidden AS (UPDATE tenants SET deleted_at = $2 WHERE id = $1 RETURNING id)
  INSERT INTO deleted_tenants (id) SELECT id FROM hidden`;

/** Deletes a tenant in three steps: hide it, remove its rows in batches, remove its own row. */
@Injectable()
export class TenantDeletion extends EntityRepository<Tenant> {
  constructor(unitOfWork: UnitOfWork) {
    super(Tenant, unitOfWork);
  }

  /**
   * Hides a tenant and its rows from everybody as soon as the transaction commits, and deletes its
   * subscription. The caller holds the tenant's exclusive lock, so that no other transaction works
   * in it. SUBSCRIPTION_ACTIVE while Stripe would still charge the tenant.
   */
  async hide(tenantId: string, now: Date): Promise<Result<void, 'SUBSCRIPTION_ACTIVE'>> {
    await this.unitOfWork.showDeletedTenant(tenantId);
    return unlessViolated({ subscriptions_live: TenantFailures.subscriptionActive }, () =>
      this.unitOfWork.query(HIDE, [tenantId, now]),
    );
  }

  /**
   * Removes a batch of rows of a hidden tenant; runs across tenants. @returns whether any were
   * removed
   */
  async removeBatch(tenantId: string): Promise<boolean> {
    const tables = await this.unitOfWork.query<{ name: string; tenant: string }>(TABLES, []);
    let remaining = BATCH;
    for (const { name, tenant } of tables) {
      const isHidden = `r.${tenant} = $1 AND EXISTS (SELECT FROM deleted_tenants WHERE id = $1)`;
      if (remaining > 0) remaining -= await deleteSome(this.unitOfWork, name, isHidden, [tenantId], remaining);
    }
    return remaining < BATCH;
  }

  /** Removes the row of a hidden tenant; its audit log is kept. */
  async removeTenant(tenantId: string): Promise<void> {
    await this.unitOfWork.showDeletedTenant(tenantId);
    await this.rows.delete({ id: tenantId, deletedAt: Not(IsNull()) });
  }
}

import { Injectable } from '@nestjs/common';
import { isForeignKeyViolation } from '../../platform/database/database-errors';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { TenantFailures } from '../tenants.failures';

/** Rows per transaction: small enough for short statements. */
const BATCH = 5000;

/** For the rest of the transaction this tenant's own row is seen, deleted or not. */
const SEE = `SELECT set_config('app.deleted_tenant_id', $1, true)`;

/**
 * The tables whose rows go with a tenant, as the schema has it; those that others of them point to
 * come last.
 */
const TABLES = `
  SELECT c.conrelid::regclass::text AS name, quote_ident(a.attname) AS tenant
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
   WHERE c.contype = 'f' AND c.confrelid = 'tenants'::regclass AND c.confdeltype = 'c'
     AND c.conrelid <> 'deleted_tenants'::regclass
   ORDER BY EXISTS (SELECT FROM pg_constraint r WHERE r.contype = 'f' AND r.confrelid = c.conrelid), 1`;

/** How a tenant goes: first nobody sees it any more, then its rows are removed, then it. */
@Injectable()
export class TenantDeletion {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Hides a tenant and its rows from everybody, from the end of the transaction on; it is held
   * alone, so that nobody is at work in it. Its subscription is gone at once. SUBSCRIPTION_ACTIVE
   * while that one lives at the processor.
   */
  async hide(tenantId: string, now: Date): Promise<Result> {
    await this.unitOfWork.query(SEE, [tenantId]);
    try {
      await this.unitOfWork.query('UPDATE tenants SET deleted_at = $2 WHERE id = $1', [tenantId, now]);
    } catch (error) {
      if (isForeignKeyViolation(error, 'subscriptions_live')) return err(TenantFailures.subscriptionActive);
      throw error;
    }
    // from here on its scope is that of no tenant
    await this.unitOfWork.query('INSERT INTO deleted_tenants (id) VALUES ($1)', [tenantId]);
    return ok();
  }

  /** Removes rows of a hidden tenant; within EVERY_TENANT. @returns whether there were any */
  async removeBatch(tenantId: string): Promise<boolean> {
    const tables = await this.unitOfWork.query<{ name: string; tenant: string }>(TABLES, []);
    let left = BATCH;
    for (const { name, tenant } of tables) {
      if (left > 0) left -= (await this.unitOfWork.query(removeFrom(name, tenant), [tenantId, left])).length;
    }
    return left < BATCH;
  }

  /** Removes a hidden tenant itself; its audit log stays. */
  async removeTenant(tenantId: string): Promise<void> {
    await this.unitOfWork.query(SEE, [tenantId]);
    await this.unitOfWork.query('DELETE FROM tenants WHERE id = $1 AND deleted_at IS NOT NULL', [tenantId]);
  }
}

const removeFrom = (table: string, tenant: string) => `
  DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT r.ctid FROM ${table} r JOIN deleted_tenants d ON d.id = r.${tenant} WHERE r.${tenant} = $1 LIMIT $2))
  RETURNING 1`;

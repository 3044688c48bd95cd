import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/unit-of-work';

/**
 * The lease to read a tenant's subscription from Stripe: one request at a time, for a few seconds.
 */
@Injectable()
export class SyncLeaseRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Acquires the right to call Stripe now.
   * @returns the customer; undefined if there is none, or if Stripe was called after `before`
   */
  async acquire(tenantId: string, now: Date, before: Date): Promise<string | undefined> {
    const sql = `UPDATE subscriptions SET asked_at = $2
                  WHERE tenant_id = $1 AND processor_customer_id IS NOT NULL AND (asked_at IS NULL OR asked_at <= $3)
                  RETURNING processor_customer_id AS "customerId"`;
    const [found] = await this.unitOfWork.query<{ customerId: string }>(sql, [tenantId, now, before]);
    return found?.customerId;
  }

  /** Releases the lease after a failed call. */
  async release(tenantId: string, now: Date): Promise<void> {
    await this.unitOfWork.query('UPDATE subscriptions SET asked_at = NULL WHERE tenant_id = $1 AND asked_at = $2', [
      tenantId,
      now,
    ]);
  }
}

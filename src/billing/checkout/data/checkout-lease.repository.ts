import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/unit-of-work';

/** The lease to prepare a tenant's checkout: one request at a time calls Stripe. */
@Injectable()
export class CheckoutLeaseRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Acquires the right to prepare a checkout. @returns false while another request holds it */
  async acquire(tenantId: string, now: Date, until: Date): Promise<boolean> {
    const sql = `UPDATE subscriptions SET preparing_until = $3 WHERE tenant_id = $1
      AND (preparing_until IS NULL OR preparing_until <= $2) RETURNING tenant_id`;
    return (await this.unitOfWork.query(sql, [tenantId, now, until])).length === 1;
  }

  /** Extends the lease. @returns false if it has passed to another request */
  async renew(tenantId: string, until: Date, longer: Date): Promise<boolean> {
    const sql =
      'UPDATE subscriptions SET preparing_until = $3 WHERE tenant_id = $1 AND preparing_until = $2 RETURNING tenant_id';
    return (await this.unitOfWork.query(sql, [tenantId, until, longer])).length === 1;
  }

  /** Releases the lease, unless it has passed to another request. */
  async release(tenantId: string, until: Date): Promise<void> {
    await this.unitOfWork.query(
      'UPDATE subscriptions SET preparing_until = NULL WHERE tenant_id = $1 AND preparing_until = $2',
      [tenantId, until],
    );
  }
}

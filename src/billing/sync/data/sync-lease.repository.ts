import { Injectable } from '@nestjs/common';
import { IsNull, LessThanOrEqual, Not } from 'typeorm';
import { EntityRepository } from '../../../platform/database/entity-repository';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { Subscription } from '../../subscriptions/domain/subscription';

/**
 * The lease to read a tenant's subscription from Stripe: one request at a time, for a few seconds.
 */
@Injectable()
export class SyncLeaseRepository extends EntityRepository<Subscription> {
  constructor(unitOfWork: UnitOfWork) {
    super(Subscription, unitOfWork);
  }

  /**
   * Acquires the right to call Stripe now.
   * @returns the customer; undefined if there is none, or if Stripe was called after `before`
   */
  async acquire(tenantId: string, now: Date, before: Date): Promise<string | undefined> {
    const customer = { tenantId, processorCustomerId: Not(IsNull()) };
    const free = [IsNull(), LessThanOrEqual(before)].map((syncLeaseAt) => ({ ...customer, syncLeaseAt }));
    const [subscription] = await this.updateBy(free, { syncLeaseAt: now });
    return subscription?.processorCustomerId ?? undefined;
  }

  /** Releases the lease after a failed call. */
  async release(tenantId: string, now: Date): Promise<void> {
    await this.rows.update({ tenantId, syncLeaseAt: now }, { syncLeaseAt: null });
  }
}

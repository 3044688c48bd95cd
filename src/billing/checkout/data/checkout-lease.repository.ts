import { Injectable } from '@nestjs/common';
import { IsNull, LessThanOrEqual } from 'typeorm';
import { EntityRepository } from '../../../platform/database/entity-repository';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { Subscription } from '../../subscriptions/domain/subscription';

/** The lease to prepare a tenant's checkout: one request at a time calls Stripe. */
@Injectable()
export class CheckoutLeaseRepository extends EntityRepository<Subscription> {
  constructor(unitOfWork: UnitOfWork) {
    super(Subscription, unitOfWork);
  }

  /** Acquires the right to prepare a checkout. @returns false while another request holds it */
  async acquire(tenantId: string, now: Date, until: Date): Promise<boolean> {
    const free = [IsNull(), LessThanOrEqual(now)].map((checkoutLeaseUntil) => ({ tenantId, checkoutLeaseUntil }));
    return (await this.updateBy(free, { checkoutLeaseUntil: until })).length === 1;
  }

  /** Extends the lease. @returns false if it has passed to another request */
  async renew(tenantId: string, until: Date, longer: Date): Promise<boolean> {
    const held = { tenantId, checkoutLeaseUntil: until };
    return (await this.updateBy(held, { checkoutLeaseUntil: longer })).length === 1;
  }

  /** Releases the lease, unless it has passed to another request. */
  async release(tenantId: string, until: Date): Promise<void> {
    await this.rows.update({ tenantId, checkoutLeaseUntil: until }, { checkoutLeaseUntil: null });
  }
}

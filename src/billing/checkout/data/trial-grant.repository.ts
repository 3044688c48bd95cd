import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { EntityRepository } from '../../../platform/database/entity-repository';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { Subscription } from '../../subscriptions/domain/subscription';
import { TrialGrant } from '../domain/trial-grant';

/** More than anybody has: tenants, and trials in those that were deleted. */
const MOST = 200;

/** A trial that a person was granted in another tenant. */
export interface OtherGrant {
  readonly tenantId: string;
  readonly offeredAt: Date;
  /** Whether the trial was started, not only offered. */
  readonly isUsed: boolean;
  readonly customerId: string | null;
  /** Until when a request prepares a checkout of that tenant. */
  readonly leaseUntil: Date | null;
}

/** Stores who was granted the trial of which tenant. */
@Injectable()
export class TrialGrantRepository extends EntityRepository<TrialGrant> {
  constructor(unitOfWork: UnitOfWork) {
    super(TrialGrant, unitOfWork);
  }

  /**
   * The grants of a person in other tenants that count; runs across tenants.
   * @param since offers before that time have expired
   */
  others({ userId, grantedTo }: TrialGrant, since: Date): Promise<OtherGrant[]> {
    const isUsed = 'coalesce(s.hadTrial, true)'; // of a deleted tenant, only that of a used one is kept
    return this.rows
      .createQueryBuilder('g')
      .leftJoin(Subscription, 's', 's.tenantId = g.grantedTo')
      .select('g.grantedTo', 'tenantId')
      .addSelect('g.offeredAt', 'offeredAt')
      .addSelect(isUsed, 'isUsed')
      .addSelect('s.processorCustomerId', 'customerId')
      .addSelect('s.checkoutLeaseUntil', 'leaseUntil')
      .where('g.userId = :userId AND g.grantedTo <> :grantedTo', { userId, grantedTo })
      .andWhere(`(${isUsed} OR g.offeredAt > :since)`, { since })
      .limit(MOST)
      .getRawMany<OtherGrant>();
  }

  /** Stores it in place of an earlier one of the tenant. */
  async put(grant: TrialGrant): Promise<void> {
    await this.rows.upsert(grant, ['grantedTo']);
  }

  /** Removes an offer, unless it was renewed. */
  async withdraw({ tenantId, offeredAt }: OtherGrant): Promise<void> {
    await this.rows.delete({ grantedTo: tenantId, offeredAt });
  }

  /** Removes the offers of tenants whose trial was never started. */
  async remove(tenantIds: readonly string[]): Promise<void> {
    if (tenantIds.length > 0) await this.rows.delete({ grantedTo: In([...tenantIds]) });
  }
}

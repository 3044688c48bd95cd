import { Injectable } from '@nestjs/common';
import { IsNull, LessThanOrEqual } from 'typeorm';
import { unlessViolated } from '../../platform/database/constraint-violations';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import type { Result } from '../../platform/result';
import { FactorReset } from '../domain/factor-reset';
import { FactorFailures } from '../factors.failures';

/** Requests to reset a second factor. Lock the account before a request. */
@Injectable()
export class FactorResetRepository extends EntityRepository<FactorReset> {
  constructor(unitOfWork: UnitOfWork) {
    super(FactorReset, unitOfWork);
  }

  /** Adds a request. CONFLICT if the user has an open one, decided by a unique index. */
  add(reset: FactorReset): Promise<Result<void, 'CONFLICT'>> {
    return unlessViolated({ factor_resets_open_key: FactorFailures.resetIsOpen }, () => this.insert(reset));
  }

  find(id: string): Promise<FactorReset | null> {
    return this.rows.findOneBy({ id });
  }

  /** A request, locked until the transaction ends. */
  lock(id: string): Promise<FactorReset | null> {
    return this.lockOne({ id });
  }

  /** The open request of a user, locked until the transaction ends. */
  lockOpen(userId: string): Promise<FactorReset | null> {
    return this.lockOne({ userId, closedAt: null });
  }

  /** Saves a request that this transaction has locked. */
  save(reset: FactorReset): Promise<void> {
    return this.updateLater(reset);
  }

  /** Closes the requests that were made until a time and not approved. @returns the closed ones */
  expire(until: Date, now: Date): Promise<FactorReset[]> {
    return this.updateBy(
      { state: 'requested', requestedAt: LessThanOrEqual(until) },
      { state: 'expired', closedAt: now },
    );
  }

  /** The approved requests that were made until a time, the oldest ones first. */
  listApproved(until: Date, limit: number): Promise<FactorReset[]> {
    return this.rows.find({
      where: { state: 'approved', requestedAt: LessThanOrEqual(until), closedAt: IsNull() },
      order: { id: 'ASC' },
      take: limit,
    });
  }
}

import { Injectable } from '@nestjs/common';
import { LessThanOrEqual } from 'typeorm';
import { EntityRepository } from '../../../platform/database/entity-repository';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { AccountErasure } from '../domain/account-erasure';

/** What has to be erased after accounts were deleted. */
@Injectable()
export class AccountErasureRepository extends EntityRepository<AccountErasure> {
  constructor(unitOfWork: UnitOfWork) {
    super(AccountErasure, unitOfWork);
  }

  add(erasure: AccountErasure): Promise<void> {
    return this.insert(erasure);
  }

  find(userId: string): Promise<AccountErasure | null> {
    return this.rows.findOneBy({ userId });
  }

  /** One of them, locked until the transaction ends. */
  lock(userId: string): Promise<AccountErasure | null> {
    return this.lockOne({ userId });
  }

  /** Saves one that this transaction has locked. */
  save(erasure: AccountErasure): Promise<void> {
    return this.updateLater(erasure);
  }

  async remove(erasure: AccountErasure): Promise<void> {
    await this.delete(erasure);
  }

  /** The ids of the accounts that were deleted until a time, the oldest ones first. */
  async listUntil(until: Date, limit: number): Promise<string[]> {
    const where = { erasedAt: LessThanOrEqual(until) };
    const found = await this.rows.find({ select: { userId: true }, where, order: { erasedAt: 'ASC' }, take: limit });
    return found.map(({ userId }) => userId);
  }
}

import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThanOrEqual, MoreThan, And } from 'typeorm';
import { EntityRepository } from '../../../platform/database/entity-repository';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { User } from '../../../users/users.api';

/** The accounts whose deletion is planned. An index contains no others. */
@Injectable()
export class PlannedDeletionRepository extends EntityRepository<User> {
  constructor(unitOfWork: UnitOfWork) {
    super(User, unitOfWork);
  }

  /**
   * Marks those that are deleted until a time as reminded, except the ones that are due already.
   * Of two concurrent calls, one returns an account.
   */
  async markReminded(until: Date, now: Date, limit: number): Promise<User[]> {
    const near = And(MoreThan(now), LessThanOrEqual(until));
    const due = { deletesAt: near, deletionRemindedAt: IsNull(), disabledAt: IsNull() };
    const found = await this.rows.find({ select: { id: true }, where: due, order: { deletesAt: 'ASC' }, take: limit });
    if (found.length === 0) return [];
    return this.updateBy({ ...due, id: In(found.map(({ id }) => id)) }, { deletionRemindedAt: now });
  }

  /** The ids of those that are due, the longest due ones first. */
  async listDue(now: Date, limit: number): Promise<string[]> {
    const where = { deletesAt: LessThanOrEqual(now), disabledAt: IsNull() };
    const due = await this.rows.find({ select: { id: true }, where, order: { deletesAt: 'ASC' }, take: limit });
    return due.map(({ id }) => id);
  }
}

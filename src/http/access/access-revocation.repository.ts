import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { AccessRevocation } from './domain/access-revocation';

/** The revocations that instances read when they missed a notification. */
@Injectable()
export class AccessRevocationRepository extends EntityRepository<AccessRevocation> {
  constructor(unitOfWork: UnitOfWork) {
    super(AccessRevocation, unitOfWork);
  }

  /** Adds a revocation, and announces its keys to all instances when the transaction commits. */
  async add(revocation: AccessRevocation, channel: string): Promise<void> {
    await this.insertAllLater([revocation]);
    await this.unitOfWork.notify(channel, revocation.keys.join(','));
  }

  /** The revocations after a time, oldest first. */
  listSince(time: Date): Promise<AccessRevocation[]> {
    return this.rows.find({ where: { revokedAt: MoreThan(time) }, order: { revokedAt: 'ASC' } });
  }

  /** Deletes the revocations until a time. @returns how many were deleted */
  purge(until: Date, limit: number): Promise<number> {
    return this.deleteUpTo('revokedAt', until, limit);
  }
}

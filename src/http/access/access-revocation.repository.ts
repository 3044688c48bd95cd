import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { EntityRepository } from '../../platform/database/entity-repository';
import { insertOf } from '../../platform/database/insert-statement';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { AccessRevocation } from './domain/access-revocation';

const REVOCATION = insertOf(AccessRevocation, { first: 2 });

/** Announces the keys on the channel $1 when the transaction commits. */
const ADD = `
  INSERT INTO ${REVOCATION.into} VALUES (${REVOCATION.values}) RETURNING pg_notify($1, array_to_string(keys, ','))`;

/** The revocations that instances read when they missed a notification. */
@Injectable()
export class AccessRevocationRepository extends EntityRepository<AccessRevocation> {
  constructor(unitOfWork: UnitOfWork) {
    super(AccessRevocation, unitOfWork);
  }

  /** Adds a revocation and announces it to all instances, in one message. */
  async add(revocation: AccessRevocation, channel: string): Promise<void> {
    await this.unitOfWork.query(ADD, [channel, ...REVOCATION.parameters(revocation)]);
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

import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Registration, MAX_REGISTRATIONS } from '../domain/registration';

/** Registrations of unverified accounts. Lock the account before changing its registrations. */
@Injectable()
export class RegistrationRepository extends EntityRepository<Registration> {
  constructor(unitOfWork: UnitOfWork) {
    super(Registration, unitOfWork);
  }

  /** Adds a registration. All but the newest few are deleted, together with their links. */
  async add(registration: Registration): Promise<void> {
    const { userId } = registration;
    await this.insert(registration);
    const oldest = await this.rows.find({ where: { userId }, order: { id: 'DESC' }, skip: MAX_REGISTRATIONS });
    if (oldest.length > 0) await this.rows.delete({ id: In(oldest.map(({ id }) => id)) });
  }

  /** The registrations of an account, newest first, at most MAX_REGISTRATIONS. */
  listByUser(userId: string): Promise<Registration[]> {
    return this.rows.find({ where: { userId }, order: { id: 'DESC' }, take: MAX_REGISTRATIONS });
  }

  /** Deletes one registration, together with its links. */
  async remove(id: string): Promise<void> {
    await this.rows.delete({ id });
  }

  /**
   * Deletes all registrations of an account, together with their links.
   * @returns whether there were any
   */
  async removeAll(userId: string): Promise<boolean> {
    return (await this.rows.delete({ userId })).affected !== 0;
  }

  /** Deletes the oldest registrations until a time. @returns how many were deleted */
  purge(until: Date, limit: number): Promise<number> {
    return this.deleteUpTo('createdAt', until, limit);
  }
}

import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { displacedRegistrations, Registration } from '../domain/registration';

/** More than the limits of emails and of unsent registrations allow. */
const MAX_LISTED = 200;

/** Registrations of unverified accounts. Lock the account before changing its registrations. */
@Injectable()
export class RegistrationRepository extends EntityRepository<Registration> {
  constructor(unitOfWork: UnitOfWork) {
    super(Registration, unitOfWork);
  }

  /**
   * Adds a registration. Those that it displaces are deleted, together with their links (see
   * displacedRegistrations).
   */
  async add(registration: Registration): Promise<void> {
    await this.insert(registration);
    const stored = await this.listByUser(registration.userId);
    const displaced = displacedRegistrations(stored, registration.createdAt);
    if (displaced.length > 0) await this.rows.delete({ id: In(displaced.map(({ id }) => id)) });
  }

  /** The registrations of an account, newest first. */
  listByUser(userId: string): Promise<Registration[]> {
    return this.rows.find({ where: { userId }, order: { id: 'DESC' }, take: MAX_LISTED });
  }

  /**
   * Stores when the newest email of a registration was sent.
   * @param at null: none was
   * @returns false if the registration was deleted
   */
  async markMailed(id: string, at: Date | null): Promise<boolean> {
    return (await this.rows.update({ id }, { mailedAt: at })).affected === 1;
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

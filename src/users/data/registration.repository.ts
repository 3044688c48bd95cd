import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Registration, MAX_REGISTRATIONS } from '../domain/registration';

const DISCARD_OLDEST = `
  DELETE FROM registrations WHERE id IN (SELECT id FROM registrations WHERE user_id = $1 ORDER BY id DESC OFFSET $2)`;

/** Registrations of unverified accounts. Lock the account before changing its registrations. */
@Injectable()
export class RegistrationRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Adds a registration. All but the newest few are deleted, together with their links. */
  async add(registration: Registration): Promise<void> {
    await this.unitOfWork.manager.insert(Registration, registration);
    await this.unitOfWork.query(DISCARD_OLDEST, [registration.userId, MAX_REGISTRATIONS]);
  }

  /** The registrations of an account, newest first, at most MAX_REGISTRATIONS. */
  listByUser(userId: string): Promise<Registration[]> {
    return this.unitOfWork.manager.find(Registration, {
      where: { userId },
      order: { id: 'DESC' },
      take: MAX_REGISTRATIONS,
    });
  }

  /** Deletes one registration, together with its links. */
  async remove(id: string): Promise<void> {
    await this.unitOfWork.manager.delete(Registration, { id });
  }

  /**
   * Deletes all registrations of an account, together with their links.
   * @returns whether there were any
   */
  async removeAll(userId: string): Promise<boolean> {
    const { affected } = await this.unitOfWork.manager.delete(Registration, { userId });
    return affected !== 0;
  }
}

import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Registration, REGISTRATIONS_AT_A_TIME } from '../domain/registration';

const DISCARD_OLDEST = `
  DELETE FROM registrations WHERE id IN (SELECT id FROM registrations WHERE user_id = $1 ORDER BY id DESC OFFSET $2)`;

/**
 * The registrations of unverified accounts. Change them only of an account that the transaction has
 * locked.
 */
@Injectable()
export class RegistrationRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Adds a registration; all but the newest few go, with their links. */
  async add(registration: Registration): Promise<void> {
    await this.unitOfWork.manager.insert(Registration, registration);
    await this.unitOfWork.query(DISCARD_OLDEST, [registration.userId, REGISTRATIONS_AT_A_TIME]);
  }

  /** All of an account, the newest first: a few at most. */
  standingOf(userId: string): Promise<Registration[]> {
    return this.unitOfWork.manager.find(Registration, {
      where: { userId },
      order: { id: 'DESC' },
      take: REGISTRATIONS_AT_A_TIME,
    });
  }

  /** Deletes one registration, with its links. */
  async remove(id: string): Promise<void> {
    await this.unitOfWork.manager.delete(Registration, { id });
  }

  /** Deletes every registration of an account, with their links. @returns whether there were any */
  async removeAll(userId: string): Promise<boolean> {
    const { affected } = await this.unitOfWork.manager.delete(Registration, { userId });
    return affected !== 0;
  }
}

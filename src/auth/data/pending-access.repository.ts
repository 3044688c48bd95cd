import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { ACCESS_PURPOSES } from '../domain/one-time-token';

const WITHDRAW = `
  WITH tickets AS (
    DELETE FROM sign_in_tickets WHERE user_id = $1
  ), codes AS (
    DELETE FROM email_codes WHERE user_id = $1
  ), browsers AS (
    DELETE FROM trusted_browsers WHERE user_id = $1 AND device_id IS DISTINCT FROM $2
  )
  DELETE FROM one_time_tokens WHERE user_id = $1 AND expires_at > $3 AND purpose = ANY($4)`;

/** What gives access to an account without being a session. */
@Injectable()
export class PendingAccessRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Withdraws the open links and codes of a user, the sign-ins that wait for a second factor, and
   * the trusted browsers, with one statement.
   * @param exceptDeviceId the browser that stays trusted
   */
  async withdraw(userId: string, exceptDeviceId?: string): Promise<void> {
    const parameters = [userId, exceptDeviceId ?? null, this.clock.now(), ACCESS_PURPOSES];
    await this.unitOfWork.query(WITHDRAW, parameters);
  }
}

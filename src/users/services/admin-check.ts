import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { isAdmin, type User } from '../domain/user';

const ADMIN = `
  SELECT email, is_email_verified AS "isEmailVerified", is_admin AS "isAdmin" FROM users WHERE id = $1
    AND disabled_at IS NULL FOR SHARE`;

/**
 * Who is a global admin now, by the database: a token says it for up to 15 minutes too long, and an
 * admin changes what lasts.
 */
@Injectable()
export class AdminCheck {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Ok while this person is an admin, which stays so until the running transaction ends; else
   * FORBIDDEN.
   */
  async requireAdmin(userId: string): Promise<Result> {
    const [found] = await this.unitOfWork.query<Pick<User, 'email' | 'isEmailVerified' | 'isAdmin'>>(ADMIN, [userId]);
    return found && isAdmin(found, this.settings.adminEmails) ? ok() : err(PlatformFailures.forbidden);
  }
}

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
 * Checks global admin access in the database. The claim in an access token can be up to 15 minutes
 * old, which is too old for changes by admins.
 */
@Injectable()
export class AdminCheck {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * FORBIDDEN if the user is not an admin. The account is locked until the transaction ends, so
   * that the access cannot be revoked meanwhile.
   */
  async requireAdmin(userId: string): Promise<Result> {
    const [user] = await this.unitOfWork.query<Pick<User, 'email' | 'isEmailVerified' | 'isAdmin'>>(ADMIN, [userId]);
    return user && isAdmin(user, this.settings.adminEmails) ? ok() : err(PlatformFailures.forbidden);
  }
}

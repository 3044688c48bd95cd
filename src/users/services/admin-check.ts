import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UserRepository } from '../data/user.repository';
import { isAdmin } from '../domain/user';

/**
 * Checks global admin access in the database. The claim in an access token can be up to 15 minutes
 * old, which is too old for changes by admins.
 */
@Injectable()
export class AdminCheck {
  constructor(
    private readonly users: UserRepository,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * FORBIDDEN if the user is not an admin. The account is locked until the transaction ends, so
   * that the access cannot be revoked in the meantime.
   */
  async requireAdmin(userId: string): Promise<Result<void, 'FORBIDDEN'>> {
    const user = await this.users.lockEnabled(userId);
    return user && isAdmin(user, this.settings.adminEmails) ? ok() : err(PlatformFailures.forbidden);
  }
}

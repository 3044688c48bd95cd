import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import { LinkedProviderRepository, type User } from '../../users/users.api';
import { PasskeyRepository } from '../data/passkey.repository';

/** Looks whether an account can still be opened after one of its sign-in methods was removed. */
@Injectable()
export class RemainingSignInMethods {
  constructor(
    private readonly linkedProviders: LinkedProviderRepository,
    private readonly passkeys: PasskeyRepository,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Whether the account has a password, a passkey, or a linked provider that is configured. Emailed
   * links do not count, because each one needs the mailbox.
   * @param user locked by this transaction
   */
  async exist({ id, passwordHash }: Pick<User, 'id' | 'passwordHash'>): Promise<boolean> {
    if (passwordHash !== null || (await this.passkeys.existsFor(id))) return true;
    return (await this.linkedProviders.listByUser(id)).some((provider) => this.settings.providers[provider]);
  }
}

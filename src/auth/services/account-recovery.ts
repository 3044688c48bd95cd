import { Injectable } from '@nestjs/common';
import { PasskeyRemoved, PasskeyRepository, SecondFactorRemoval } from '../../factors/factors.api';
import { DAY, addSeconds } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { LinkedProviderRepository, PROVIDERS, UserRepository, type User } from '../../users/users.api';
import { AccountSecured, ProviderUnlinked } from '../auth.events';
import { SessionRevoker } from './session-revoker';

/** A second factor added within this time may be that of an attacker, and is removed. */
const NEW_FACTOR_SECONDS = 3 * DAY;

/** Gives an account back to the owner of its mailbox. */
@Injectable()
export class AccountRecovery {
  constructor(
    private readonly users: UserRepository,
    private readonly linkedProviders: LinkedProviderRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly secondFactorRemoval: SecondFactorRemoval,
    private readonly sessionRevoker: SessionRevoker,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Removes every sign-in method except for the mailbox: all sessions and open links end, passkeys
   * are removed, providers are unlinked, and a new password must be set. A second factor stays,
   * unless it was added in the three days before the break-in, or later.
   * @param user locked by this transaction
   * @param since when others may have broken in
   */
  async recover(user: User, since: Date): Promise<void> {
    user.removePassword();
    await this.users.save(user);
    await this.secondFactorRemoval.removeNewerThan(user, addSeconds(since, -NEW_FACTOR_SECONDS));
    const unlinked = await this.linkedProviders.unlink(user.id, PROVIDERS);
    const passkeys = await this.passkeys.removeAll(user.id);
    await this.sessionRevoker.revokeAll(user.id, 'account-secured');
    await this.events.publish(
      new AccountSecured(user.id),
      ...unlinked.map((provider) => new ProviderUnlinked(user.id, provider)),
      ...passkeys.map((passkey) => new PasskeyRemoved(passkey, 'account-secured')),
    );
  }
}

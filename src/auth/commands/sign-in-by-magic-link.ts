import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { err, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import type { SignedIn } from '../services/second-factor-tickets';
import { SessionIssuer } from '../services/session-issuer';
import { UnverifiedAccountTakeover } from '../services/unverified-account-takeover';
import { securityMailNow } from './send-security-mail';

/**
 * Signs a user in with an emailed link, which also verifies the address. MAGIC_LINK_INVALID;
 * MAGIC_LINK_EXPIRED; ACCOUNT_DISABLED.
 */
export class SignInByMagicLink extends Command<
  Result<SignedIn, 'ACCOUNT_DISABLED' | 'MAGIC_LINK_EXPIRED' | 'MAGIC_LINK_INVALID'>
> {
  constructor(readonly token: string) {
    super();
  }
}

@CommandHandler(SignInByMagicLink)
export class SignInByMagicLinkHandler implements ICommandHandler<SignInByMagicLink> {
  constructor(
    private readonly tokens: OneTimeTokenRepository,
    private readonly users: UserRepository,
    private readonly unverifiedAccountTakeover: UnverifiedAccountTakeover,
    private readonly issuer: SessionIssuer,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ token }: SignInByMagicLink) {
    return this.unitOfWork.transaction(async () => {
      const owner = await this.tokens.consume('magic-link', token);
      if (!owner.ok) return owner;
      const user = await this.users.lock(owner.value.userId);
      if (!user) return err(AuthFailures.magicLinkInvalid);
      const passwordRemoved = await this.unverifiedAccountTakeover.takeOver(user);
      const newDeviceJob = securityMailNow(user.id, 'new-device', this.clock.now());
      // a failure also rolls the takeover back
      return this.issuer.openLocked(user, { method: 'magic-link', passwordRemoved }, { newDeviceJob });
    });
  }
}

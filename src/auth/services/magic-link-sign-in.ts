import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { err } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { securityMailNow } from '../commands/send-security-mail';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { SessionIssuer } from './session-issuer';
import { UnverifiedAccountTakeover } from './unverified-account-takeover';

/** Signs in with a mailed link, or with the code that replaces it. */
@Injectable()
export class MagicLinkSignIn {
  constructor(
    private readonly tokens: OneTimeTokenRepository,
    private readonly users: UserRepository,
    private readonly unverifiedAccountTakeover: UnverifiedAccountTakeover,
    private readonly issuer: SessionIssuer,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Uses a link up by the hash of its token. MAGIC_LINK_INVALID; MAGIC_LINK_EXPIRED;
   * ACCOUNT_DISABLED.
   */
  byHash(tokenHash: Buffer) {
    return this.unitOfWork.transaction(async () => {
      const owner = await this.tokens.consumeByHash('magic-link', tokenHash);
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

import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { err } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { SessionIssuer, type OpenOptions } from './session-issuer';
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
  ) {}

  /**
   * Uses a link up by the hash of its token. MAGIC_LINK_INVALID; MAGIC_LINK_EXPIRED;
   * ACCOUNT_DISABLED.
   * @param newDeviceJob the job that is enqueued if the browser is new to the account
   */
  byHash(tokenHash: Buffer, newDeviceJob: (userId: string) => OpenOptions['newDeviceJob']) {
    return this.unitOfWork.transaction(async () => {
      const owner = await this.tokens.consumeByHash('magic-link', tokenHash);
      if (!owner.ok) return owner;
      const user = await this.users.lock(owner.value.userId);
      if (!user) return err(AuthFailures.magicLinkInvalid);
      const passwordRemoved = await this.unverifiedAccountTakeover.takeOver(user);
      // a failure also rolls the takeover back
      return this.issuer.openLocked(
        user,
        { method: 'magic-link', passwordRemoved },
        { newDeviceJob: newDeviceJob(user.id) },
      );
    });
  }
}

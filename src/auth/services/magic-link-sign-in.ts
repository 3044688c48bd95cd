import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { err, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import type { OneTimeToken } from '../domain/one-time-token';
import type { SignedIn } from './second-factor-tickets';
import { SessionIssuer, type OpenOptions } from './session-issuer';
import { UnverifiedAccountTakeover } from './unverified-account-takeover';

type NewDeviceJob = (userId: string) => OpenOptions['newDeviceJob'];

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
   * Uses a link up. Its code stays valid in the browser that asked for it, if that is another one:
   * a program that opens links must not use up what is left to the person. MAGIC_LINK_INVALID;
   * MAGIC_LINK_EXPIRED; ACCOUNT_DISABLED.
   * @param browserHash the hash of the browser that opened it, if it asked for a link
   * @param newDeviceJob the job that is enqueued if the browser is new to the account
   */
  byLink(token: string, browserHash: Buffer | undefined, newDeviceJob: NewDeviceJob) {
    return this.unitOfWork.transaction(async () => {
      const revoked = await this.tokens.consumeWithOthers('magic-link', token);
      if (!revoked.ok) return revoked;
      const signedIn = await this.open(revoked.value[0].userId, newDeviceJob);
      const now = this.clock.now();
      // after the takeover of an unverified account, which revokes all links and codes
      await this.tokens.keepCodes(revoked.value.flatMap((link) => link.codeAfterUse(browserHash, now) ?? []));
      return signedIn;
    });
  }

  /** Uses a code up, with its link. MAGIC_LINK_INVALID; ACCOUNT_DISABLED. */
  byCode({ tokenHash }: OneTimeToken, newDeviceJob: NewDeviceJob) {
    return this.unitOfWork.transaction(async () => {
      const owner = await this.tokens.consumeByCode(tokenHash);
      return owner ? this.open(owner.userId, newDeviceJob) : err(AuthFailures.magicLinkInvalid);
    });
  }

  private async open(
    userId: string,
    newDeviceJob: NewDeviceJob,
  ): Promise<Result<SignedIn, 'ACCOUNT_DISABLED' | 'MAGIC_LINK_INVALID'>> {
    const user = await this.users.lock(userId);
    if (!user) return err(AuthFailures.magicLinkInvalid);
    const passwordRemoved = await this.unverifiedAccountTakeover.takeOver(user);
    // a failure also rolls the takeover back
    const signIn = { method: 'magic-link', passwordRemoved } as const;
    return this.issuer.openLocked(user, signIn, { newDeviceJob: newDeviceJob(userId) });
  }
}

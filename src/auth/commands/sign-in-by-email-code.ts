import { timingSafeEqual } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { err, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { MagicLinkSignIn } from '../services/magic-link-sign-in';
import type { SignedIn } from '../services/second-factor-tickets';
import { LinkCodes } from '../services/link-codes';
import { securityMailNow } from './send-security-mail';

/**
 * Signs a user in with the code of a mailed link, in the browser that asked for it, and uses the
 * link up. EMAIL_CODE_INVALID, also for an unknown address, another browser, and after five
 * attempts; ACCOUNT_DISABLED.
 */
export class SignInByEmailCode extends Command<Result<SignedIn, 'ACCOUNT_DISABLED' | 'EMAIL_CODE_INVALID'>> {
  constructor(
    readonly email: string,
    readonly code: string,
    /** The hash of the browser's id; undefined if it asked for no link. */
    readonly browserHash: Buffer | undefined,
  ) {
    super();
  }
}

@CommandHandler(SignInByEmailCode)
export class SignInByEmailCodeHandler implements ICommandHandler<SignInByEmailCode> {
  constructor(
    private readonly users: UserRepository,
    private readonly tokens: OneTimeTokenRepository,
    private readonly codes: LinkCodes,
    private readonly magicLinkSignIn: MagicLinkSignIn,
    private readonly clock: Clock,
  ) {}

  async execute({ email, code, browserHash }: SignInByEmailCode) {
    const user = browserHash && (await this.users.findByEmail(email));
    if (!user) return err(AuthFailures.emailCodeInvalid);
    const open = await this.tokens.countCodeAttempt(user.id, browserHash);
    const given = Buffer.from(code);
    const token = open.find(({ tokenHash }) => timingSafeEqual(Buffer.from(this.codes.of(tokenHash)), given));
    if (!token) return err(AuthFailures.emailCodeInvalid);
    const signedIn = await this.magicLinkSignIn.byHash(token.tokenHash, (userId) =>
      securityMailNow(userId, 'new-device', this.clock.now()),
    );
    return signedIn.ok || signedIn.failure.code === 'ACCOUNT_DISABLED'
      ? (signedIn as Result<SignedIn, 'ACCOUNT_DISABLED'>)
      : err(AuthFailures.emailCodeInvalid); // used in the meantime
  }
}

import { timingSafeEqual } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { err, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { SignInFailed } from '../auth.events';
import { AuthFailures } from '../auth.failures';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { MagicLinkSignIn } from '../services/magic-link-sign-in';
import type { SignedIn } from '../services/second-factor-tickets';
import { AuthMetrics } from '../services/auth-metrics';
import { KnownDevices } from '../services/known-devices';
import { LoginLimits } from '../services/login-limits';
import { LinkCodes } from '../services/link-codes';
import { securityMailNow } from './send-security-mail';

/**
 * Signs a user in with the code of a mailed link, in the browser that asked for it, and uses the
 * link up. The code also works after the link was used in another browser. EMAIL_CODE_INVALID, also
 * for an unknown address, another browser, and after five attempts; TOO_MANY_ATTEMPTS;
 * ACCOUNT_DISABLED.
 */
export class SignInByEmailCode extends Command<
  Result<SignedIn, 'ACCOUNT_DISABLED' | 'EMAIL_CODE_INVALID' | 'TOO_MANY_ATTEMPTS'>
> {
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
    private readonly loginLimits: LoginLimits,
    private readonly devices: KnownDevices,
    private readonly metrics: AuthMetrics,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /** A wrong code is a failed sign-in, as a wrong password is: it is limited and recorded. */
  async execute({ email, code, browserHash }: SignInByEmailCode) {
    const user = await this.users.findByEmail(email);
    const admitted = await this.loginLimits.begin(email, user ? this.devices.idFor(user.id) : undefined);
    if (!admitted.ok) return admitted;
    const token = user && browserHash ? await this.findToken(user.id, browserHash, code) : undefined;
    if (!token) {
      await admitted.value.fail();
      this.metrics.countLoginFailure();
      if (user) await this.events.publish(new SignInFailed(user.id));
      return err(AuthFailures.emailCodeInvalid);
    }
    await admitted.value.succeed();
    const signedIn = await this.magicLinkSignIn.byCode(token, (userId) =>
      securityMailNow(userId, 'new-device', this.clock.now()),
    );
    return signedIn.ok || signedIn.failure.code === 'ACCOUNT_DISABLED'
      ? (signedIn as Result<SignedIn, 'ACCOUNT_DISABLED'>)
      : err(AuthFailures.emailCodeInvalid); // used in the meantime
  }

  private async findToken(userId: string, browserHash: Buffer, code: string) {
    const open = await this.tokens.countCodeAttempt(userId, browserHash);
    const given = Buffer.from(code);
    return open.find(({ tokenHash }) => timingSafeEqual(Buffer.from(this.codes.of(tokenHash)), given));
  }
}

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import type { Result } from '../../platform/result';
import { MagicLinkSignIn } from '../services/magic-link-sign-in';
import type { SignedIn } from '../services/second-factor-tickets';
import { securityMailNow } from './send-security-mail';

/**
 * Signs a user in with an emailed link, which also verifies the address. MAGIC_LINK_INVALID;
 * MAGIC_LINK_EXPIRED; ACCOUNT_DISABLED.
 */
export class SignInByMagicLink extends Command<
  Result<SignedIn, 'ACCOUNT_DISABLED' | 'MAGIC_LINK_EXPIRED' | 'MAGIC_LINK_INVALID'>
> {
  constructor(
    readonly token: string,
    /** The hash of the browser that opened the link, if it asked for one. */
    readonly browserHash: Buffer | undefined,
  ) {
    super();
  }
}

@CommandHandler(SignInByMagicLink)
export class SignInByMagicLinkHandler implements ICommandHandler<SignInByMagicLink> {
  constructor(
    private readonly magicLinkSignIn: MagicLinkSignIn,
    private readonly clock: Clock,
  ) {}

  execute({ token, browserHash }: SignInByMagicLink) {
    return this.magicLinkSignIn.byLink(token, browserHash, (userId) =>
      securityMailNow(userId, 'new-device', this.clock.now()),
    );
  }
}

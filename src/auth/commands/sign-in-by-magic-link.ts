import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { err, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { UserRepository } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { UnverifiedAccountTakeover } from '../services/unverified-account-takeover';
import { SessionIssuer } from '../services/session-issuer';
import type { TokenPair } from '../domain/token-pair';

/**
 * Uses a mailed sign-in link up, and verifies the address if it was not. MAGIC_LINK_INVALID or
 * _EXPIRED; ACCOUNT_DISABLED.
 */
export class SignInByMagicLink extends Command<Result<TokenPair>> {
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
  ) {}

  execute({ token }: SignInByMagicLink) {
    return this.unitOfWork.transaction(async () => {
      const used = await this.tokens.consume('magic-link', token);
      if (!used.ok) return used;
      const user = await this.users.lock(used.value.userId);
      if (!user) return err(AuthFailures.magicLinkInvalid);
      const passwordRemoved = await this.unverifiedAccountTakeover.claim(user);
      // a refusal here takes the claim back too
      return this.issuer.open(user, { method: 'magic-link', passwordRemoved });
    });
  }
}

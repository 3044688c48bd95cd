import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { err, ok, type Result } from '../../platform/result';
import { nameFromEmail } from '../../platform/text/typed-text';
import {
  checkNewPassword,
  LinkedProviderRepository,
  PasswordHasher,
  PROVIDERS,
  UserRepository,
} from '../../users/users.api';
import { PasswordReset, ProviderUnlinked } from '../auth.events';
import { AuthFailures } from '../auth.failures';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { SessionRevoker } from '../services/session-revoker';
import { UnverifiedAccountTakeover } from '../services/unverified-account-takeover';

/**
 * Sets a new password with an emailed token, which also proves the mailbox, and ends all sessions
 * and open links of the user. RESET_TOKEN_INVALID; RESET_TOKEN_EXPIRED.
 */
export class ResetPassword extends Command<
  Result<void, 'RESET_TOKEN_EXPIRED' | 'RESET_TOKEN_INVALID' | 'UNAVAILABLE' | 'VALIDATION_ERROR'>
> {
  constructor(
    readonly token: string,
    readonly password: string,
    /** Whether to unlink all identity providers as well. */
    readonly unlinkProviders = false,
  ) {
    super();
  }
}

@CommandHandler(ResetPassword)
export class ResetPasswordHandler implements ICommandHandler<ResetPassword> {
  constructor(
    private readonly tokens: OneTimeTokenRepository,
    private readonly users: UserRepository,
    private readonly passwords: PasswordHasher,
    private readonly unverifiedAccountTakeover: UnverifiedAccountTakeover,
    private readonly sessionRevoker: SessionRevoker,
    private readonly linkedProviders: LinkedProviderRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** The token is consumed last, so that a rejected password does not use it up. */
  async execute({ token, password, unlinkProviders }: ResetPassword) {
    const owner = await this.tokens.peek('password-reset', token);
    if (!owner.ok) return owner;
    const user = await this.users.findById(owner.value.userId);
    const acceptable = checkNewPassword(password, user ?? {}, 'password');
    if (!acceptable.ok) return acceptable;
    const hashed = await this.passwords.hash(password);
    return hashed.ok ? this.reset(token, hashed.value, unlinkProviders) : hashed;
  }

  private reset(token: string, passwordHash: string, unlinkProviders: boolean) {
    return this.unitOfWork.transaction(async () => {
      const owner = await this.tokens.consume('password-reset', token);
      if (!owner.ok) return owner;
      const user = await this.users.lock(owner.value.userId);
      if (!user) return err(AuthFailures.resetInvalid);
      const now = this.clock.now();
      const wasVerified = user.isEmailVerified;
      // the token proves the mailbox, and a stranger may have chosen the name
      user.activate(wasVerified ? user.name : nameFromEmail(user.email), passwordHash, now, now);
      await this.users.save(user);
      if (!wasVerified) await this.unverifiedAccountTakeover.discardRegistrations(user);
      await this.sessionRevoker.revokeAll(user.id, 'password-reset');
      await this.events.publish(new PasswordReset(user.id, wasVerified));
      if (unlinkProviders) await this.unlinkAll(user.id);
      return ok();
    });
  }

  private async unlinkAll(userId: string): Promise<void> {
    const unlinked = await this.linkedProviders.unlink(userId, PROVIDERS);
    await this.events.publish(...unlinked.map((provider) => new ProviderUnlinked(userId, provider)));
  }
}

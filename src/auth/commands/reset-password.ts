import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
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
import { SessionRepository } from '../data/session.repository';
import { UnverifiedAccountTakeover } from '../services/unverified-account-takeover';

/**
 * Sets a new password with a mailed token, which also proves the address, and ends every session
 * and open link of its owner. RESET_TOKEN_INVALID or _EXPIRED.
 */
export class ResetPassword extends Command<Result> {
  constructor(
    readonly token: string,
    readonly password: string,
    /** Whether no account at an identity provider leads to this one any more. */
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
    private readonly sessions: SessionRepository,
    private readonly links: LinkedProviderRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * The token is used up last of all: a password that is refused, or a service too busy to hash it,
   * costs the person nothing.
   */
  async execute({ token, password, unlinkProviders }: ResetPassword): Promise<Result> {
    const owner = await this.tokens.peek('password-reset', token);
    if (!owner.ok) return owner;
    const { email } = (await this.users.findById(owner.value.userId)) ?? { email: '' };
    const acceptable = checkNewPassword(password, email, 'password');
    if (!acceptable.ok) return acceptable;
    const hashed = await this.passwords.hash(password);
    return hashed.ok ? this.change(token, hashed.value, unlinkProviders) : hashed;
  }

  private change(token: string, passwordHash: string, unlinkProviders: boolean): Promise<Result> {
    return this.unitOfWork.transaction(async () => {
      const used = await this.tokens.consume('password-reset', token);
      if (!used.ok) return used;
      const user = await this.users.lock(used.value.userId);
      if (!user) return err(AuthFailures.resetInvalid);
      const now = this.clock.now();
      const wasVerified = user.isEmailVerified;
      user.activate(user.name, passwordHash, now, now); // the token has proven the mailbox
      await this.users.save(user);
      if (!wasVerified) await this.unverifiedAccountTakeover.settle(user);
      await this.sessions.revokeAll(user.id, now, 'password-reset');
      await this.events.publish(new PasswordReset(user.id, wasVerified));
      if (unlinkProviders) await this.unlinkAll(user.id);
      return ok();
    });
  }

  private async unlinkAll(userId: string): Promise<void> {
    const unlinked = await this.links.unlink(userId, PROVIDERS);
    await this.events.publish(...unlinked.map((provider) => new ProviderUnlinked(userId, provider)));
  }
}

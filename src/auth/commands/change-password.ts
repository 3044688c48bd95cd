import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { checkNewPassword, PasswordHasher, UserRepository, type User } from '../../users/users.api';
import { PasswordChanged } from '../auth.events';
import { AuthFailures } from '../auth.failures';
import { SessionRepository } from '../data/session.repository';
import { PasswordVerifier } from '../services/password-verifier';

/**
 * Changes one's own password and ends one's other sessions. INVALID_CREDENTIALS, TOO_MANY_ATTEMPTS:
 * a stolen token must not allow guessing.
 */
export class ChangePassword extends Command<Result> {
  constructor(
    readonly userId: string,
    /** The jti of the access token that asks: its session stays. */
    readonly tokenId: string,
    readonly currentPassword: string,
    readonly newPassword: string,
  ) {
    super();
  }
}

@CommandHandler(ChangePassword)
export class ChangePasswordHandler implements ICommandHandler<ChangePassword> {
  constructor(
    private readonly users: UserRepository,
    private readonly passwordVerifier: PasswordVerifier,
    private readonly passwords: PasswordHasher,
    private readonly sessions: SessionRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute(command: ChangePassword): Promise<Result> {
    const user = await this.users.findById(command.userId);
    if (!user) return err(PlatformFailures.unauthenticated);
    const acceptable = checkNewPassword(command.newPassword, user.email, 'newPassword');
    if (!acceptable.ok) return acceptable;
    const proven = await this.passwordVerifier.of(user, user.email, command.currentPassword);
    if (!proven.ok) return proven;
    const hashed = await this.passwords.hash(command.newPassword);
    return hashed.ok ? this.change(user, hashed.value, command.tokenId) : hashed;
  }

  /**
   * Between the proof and the change another new password may have been set: then the proof is
   * worth nothing.
   */
  private change(proven: User, passwordHash: string, tokenId: string): Promise<Result> {
    return this.unitOfWork.transaction(async () => {
      const user = await this.users.lock(proven.id);
      if (!user || user.passwordHash !== proven.passwordHash) return err(AuthFailures.invalidCredentials);
      const now = this.clock.now();
      // Who came in by a password that nobody had proven must not make it a proven one by changing
      // it.
      user.changePassword(passwordHash, (await this.sessions.isProven(tokenId)) ? now : undefined);
      await this.users.save(user);
      await this.sessions.revokeOthers(user.id, tokenId, now, 'password-changed');
      await this.events.publish(new PasswordChanged(user.id));
      return ok();
    });
  }
}

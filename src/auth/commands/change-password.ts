import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { Clock, MINUTE } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { checkNewPassword, PasswordHasher, UserRepository, type User } from '../../users/users.api';
import { PasswordChanged } from '../auth.events';
import { AuthFailures } from '../auth.failures';
import { PasswordVerifier } from '../services/password-verifier';
import { SessionCheck } from '../services/session-check';
import { SessionRevoker } from '../services/session-revoker';

/** How old the proof of a second factor may be. */
const FRESH_SECONDS = 10 * MINUTE;

/**
 * Changes the caller's password and ends the caller's other sessions. INVALID_CREDENTIALS;
 * TOO_MANY_ATTEMPTS, because a stolen access token must not allow guessing the password;
 * STEP_UP_REQUIRED if the account has a second factor that was not proven in the last ten minutes.
 */
export class ChangePassword extends Command<
  Result<
    void,
    | 'INVALID_CREDENTIALS'
    | 'SESSION_ENDED'
    | 'STEP_UP_REQUIRED'
    | 'TOO_MANY_ATTEMPTS'
    | 'UNAUTHENTICATED'
    | 'UNAVAILABLE'
    | 'VALIDATION_ERROR'
  >
> {
  constructor(
    readonly actor: Pick<Actor, 'userId' | 'tokenId'>,
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
    private readonly sessionCheck: SessionCheck,
    private readonly sessionRevoker: SessionRevoker,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, currentPassword, newPassword }: ChangePassword) {
    const user = await this.users.findById(actor.userId);
    if (!user) return err(PlatformFailures.unauthenticated);
    if (user.hasSecondFactor) {
      const isFresh = await this.sessionCheck.check(actor.tokenId, FRESH_SECONDS);
      if (!isFresh.ok) return isFresh;
    }
    const acceptable = checkNewPassword(newPassword, user, 'newPassword');
    if (!acceptable.ok) return acceptable;
    const verified = await this.passwordVerifier.verify(user, user.email, currentPassword);
    if (!verified.ok) return verified;
    const hashed = await this.passwords.hash(newPassword);
    return hashed.ok ? this.change(user, hashed.value, actor.tokenId) : hashed;
  }

  /** Refuses if the password was changed after it was verified. */
  private change(verified: User, passwordHash: string, tokenId: string): Promise<Result<void, 'INVALID_CREDENTIALS'>> {
    return this.unitOfWork.transaction(async () => {
      const user = await this.users.lock(verified.id);
      if (!user || user.passwordHash !== verified.passwordHash) return err(AuthFailures.invalidCredentials);
      // In a session that started with an unproven password, the new one remains unproven.
      const provenAt = (await this.sessionCheck.isProven(tokenId)) ? this.clock.now() : undefined;
      user.changePassword(passwordHash, provenAt);
      await this.users.save(user);
      await this.sessionRevoker.revokeOthers(user.id, tokenId, 'password-changed');
      await this.events.publish(new PasswordChanged(user.id));
      return ok();
    });
  }
}

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { checkNewPassword, PasswordHasher, UserRepository, type User } from '../../users/users.api';
import { PasswordChanged } from '../auth.events';
import { AuthFailures } from '../auth.failures';
import { SessionRevoker } from '../services/session-revoker';

/**
 * Sets the password of an account that has none, and ends the caller's other sessions. CONFLICT if
 * the account has a password.
 */
export class SetPassword extends Command<
  Result<void, 'CONFLICT' | 'UNAUTHENTICATED' | 'UNAVAILABLE' | 'VALIDATION_ERROR'>
> {
  constructor(
    readonly actor: Pick<Actor, 'userId' | 'tokenId'>,
    readonly password: string,
  ) {
    super();
  }
}

@CommandHandler(SetPassword)
export class SetPasswordHandler implements ICommandHandler<SetPassword> {
  constructor(
    private readonly users: UserRepository,
    private readonly passwords: PasswordHasher,
    private readonly sessionRevoker: SessionRevoker,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, password }: SetPassword) {
    const user = await this.users.findById(actor.userId);
    const allowed = check(user);
    if (!allowed.ok) return allowed;
    const acceptable = checkNewPassword(password, user!, 'password');
    if (!acceptable.ok) return acceptable;
    const hashed = await this.passwords.hash(password);
    return hashed.ok ? this.set(actor, hashed.value) : hashed;
  }

  /** Checks again with the account locked, because it may have changed during the hashing. */
  private set(actor: SetPassword['actor'], passwordHash: string) {
    return this.unitOfWork.transaction(async () => {
      const user = await this.users.lock(actor.userId);
      const allowed = check(user);
      if (!allowed.ok) return allowed;
      user!.changePassword(passwordHash, this.clock.now());
      await this.users.save(user!);
      await this.sessionRevoker.revokeOthers(actor.userId, actor.tokenId, 'password-changed');
      await this.events.publish(new PasswordChanged(actor.userId));
      return ok();
    });
  }
}

function check(user: User | null): Result<void, 'CONFLICT' | 'UNAUTHENTICATED'> {
  if (!user) return err(PlatformFailures.unauthenticated);
  return user.passwordHash === null ? ok() : err(AuthFailures.hasPassword);
}

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { Clock, addSeconds, MINUTE } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { checkNewPassword, PasswordHasher, UserRepository, type User } from '../../users/users.api';
import { PasswordChanged } from '../auth.events';
import { AuthFailures } from '../auth.failures';
import { SessionRepository } from '../data/session.repository';

/**
 * How long ago a session may have begun that sets a password: there is none yet that could be asked
 * for.
 */
const FRESH_SECONDS = 10 * MINUTE;

/**
 * Sets the password of an account that has none, and ends its other sessions. STEP_UP_REQUIRED in a
 * session that began more than 10 minutes ago; CONFLICT where there is a password, which is changed
 * instead.
 */
export class SetPassword extends Command<Result> {
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
    private readonly sessions: SessionRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, password }: SetPassword): Promise<Result> {
    const user = await this.users.findById(actor.userId);
    const allowed = await this.mayBeSet(actor, user);
    if (!allowed.ok) return allowed;
    const acceptable = checkNewPassword(password, user!.email, 'password');
    if (!acceptable.ok) return acceptable;
    const hashed = await this.passwords.hash(password);
    return hashed.ok ? this.set(actor, hashed.value) : hashed;
  }

  /**
   * What was true before the hash may not be any more: it is asked again, now that the account is
   * locked.
   */
  private set(actor: SetPassword['actor'], passwordHash: string): Promise<Result> {
    return this.unitOfWork.transaction(async () => {
      const user = await this.users.lock(actor.userId);
      const allowed = await this.mayBeSet(actor, user);
      if (!allowed.ok) return allowed;
      const now = this.clock.now();
      user!.changePassword(passwordHash, now);
      await this.users.save(user!);
      await this.sessions.revokeOthers(actor.userId, actor.tokenId, now, 'password-changed');
      await this.events.publish(new PasswordChanged(actor.userId));
      return ok();
    });
  }

  private async mayBeSet({ userId, tokenId }: SetPassword['actor'], user: User | null): Promise<Result> {
    if (!user) return err(PlatformFailures.unauthenticated);
    if (user.passwordHash !== null) return err(AuthFailures.hasPassword);
    const isFresh = await this.sessions.hasBegunSince(userId, tokenId, addSeconds(this.clock.now(), -FRESH_SECONDS));
    return isFresh ? ok() : err(AuthFailures.stepUpRequired);
  }
}

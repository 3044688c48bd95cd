import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { RevokedTokens } from '../../http/access/revoked-tokens';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { AdminCheck, UserRepository } from '../../users/users.api';
import { UserDisabled } from '../domain/operator-events';
import { AuthFailures } from '../auth.failures';
import { SessionRevoker } from '../services/session-revoker';

/**
 * Disables an account and revokes all of its sessions and access tokens. Idempotent. NOT_FOUND;
 * CONFLICT for the caller's own account; FORBIDDEN if the caller's admin flag was revoked after the
 * token was issued.
 */
export class DisableUser extends Command<Result<void, 'CONFLICT' | 'FORBIDDEN' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: Actor,
    readonly userId: string,
    /** Why, for the audit log. */
    readonly reason?: string,
  ) {
    super();
  }
}

@CommandHandler(DisableUser)
export class DisableUserHandler implements ICommandHandler<DisableUser> {
  constructor(
    private readonly adminCheck: AdminCheck,
    private readonly users: UserRepository,
    private readonly sessionRevoker: SessionRevoker,
    private readonly revokedTokens: RevokedTokens,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, userId, reason }: DisableUser) {
    if (userId === actor.userId) return err(AuthFailures.cannotDisableYourself);
    return this.unitOfWork.transaction(async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      const user = await this.users.lock(userId);
      if (!user) return err(PlatformFailures.notFound);
      if (user.disabledAt) return ok();
      user.disable(this.clock.now());
      await this.users.save(user);
      await this.sessionRevoker.revokeAll(user.id, 'disabled', actor);
      await this.revokedTokens.revoke([user.id]); // includes tokens of admins who impersonate the user
      await this.events.publish(new UserDisabled(actor, userId, reason));
      return ok();
    });
  }
}

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { AdminCheck, UserRepository } from '../../users/users.api';
import { UserSessionsEnded } from '../domain/operator-events';
import { SessionRevoker } from '../services/session-revoker';

/**
 * Ends all sessions of a user and revokes the pending links, on behalf of an admin. Idempotent.
 * NOT_FOUND; FORBIDDEN if the caller's admin flag was revoked after the token was issued.
 */
export class EndUserSessions extends Command<Result<void, 'FORBIDDEN' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: Actor,
    readonly userId: string,
  ) {
    super();
  }
}

@CommandHandler(EndUserSessions)
export class EndUserSessionsHandler implements ICommandHandler<EndUserSessions> {
  constructor(
    private readonly adminCheck: AdminCheck,
    private readonly users: UserRepository,
    private readonly sessionRevoker: SessionRevoker,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, userId }: EndUserSessions) {
    return this.unitOfWork.transaction(async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      if (!(await this.users.lock(userId))) return err(PlatformFailures.notFound);
      const sessions = await this.sessionRevoker.revokeAll(userId, 'ended-by-operator', actor);
      await this.events.publish(new UserSessionsEnded(actor, userId, sessions));
      return ok();
    });
  }
}

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { AdminCheck } from '../../users/users.api';
import { SessionRevoker } from '../services/session-revoker';

/**
 * Ends one session of a user, on behalf of an admin. NOT_FOUND if the user has no such live
 * session; FORBIDDEN if the caller's admin flag was revoked after the token was issued.
 */
export class EndUserSession extends Command<Result<void, 'FORBIDDEN' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: Actor,
    readonly userId: string,
    readonly sessionId: string,
  ) {
    super();
  }
}

@CommandHandler(EndUserSession)
export class EndUserSessionHandler implements ICommandHandler<EndUserSession> {
  constructor(
    private readonly adminCheck: AdminCheck,
    private readonly sessionRevoker: SessionRevoker,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, userId, sessionId }: EndUserSession) {
    return this.unitOfWork.transaction(async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      const revoked = await this.sessionRevoker.revokeOne(userId, sessionId, 'ended-by-operator', actor);
      return revoked > 0 ? ok() : err(PlatformFailures.notFound);
    });
  }
}

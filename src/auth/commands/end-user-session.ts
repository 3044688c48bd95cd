import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { AdminCheck } from '../../users/users.api';
import { SessionRepository } from '../data/session.repository';

/**
 * An operator ends one session of somebody. NOT_FOUND where this person has
 * no such live session; FORBIDDEN for who is an admin by an old token only.
 */
export class EndUserSession extends Command<Result> {
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
    private readonly sessions: SessionRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor, userId, sessionId }: EndUserSession): Promise<Result> {
    return this.unitOfWork.transaction(async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      const ended = await this.sessions.revokeOne(userId, sessionId, this.clock.now(), 'ended-by-operator', actor);
      return ended > 0 ? ok() : err(PlatformFailures.notFound);
    });
  }
}

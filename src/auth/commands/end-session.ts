import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { SessionRepository } from '../data/session.repository';

/** Ends one of one's own sessions; NOT_FOUND for any other, another person's included. */
export class EndSession extends Command<Result> {
  constructor(
    readonly userId: string,
    readonly sessionId: string,
  ) {
    super();
  }
}

@CommandHandler(EndSession)
export class EndSessionHandler implements ICommandHandler<EndSession> {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ userId, sessionId }: EndSession) {
    return this.unitOfWork.transaction(async () => {
      const ended = await this.sessions.revokeOne(userId, sessionId, this.clock.now(), 'ended-by-user');
      return ended > 0 ? ok() : err(PlatformFailures.notFound);
    });
  }
}

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { SessionRepository } from '../data/session.repository';

/** Ends all of one's sessions but the one that asks. */
export class EndOtherSessions extends Command<Result> {
  constructor(
    readonly userId: string,
    /** The jti of the access token that asks. */
    readonly tokenId: string,
  ) {
    super();
  }
}

@CommandHandler(EndOtherSessions)
export class EndOtherSessionsHandler implements ICommandHandler<EndOtherSessions> {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ userId, tokenId }: EndOtherSessions) {
    return this.unitOfWork.transaction(async () => {
      await this.sessions.revokeOthers(userId, tokenId, this.clock.now(), 'ended-by-user');
      return ok();
    });
  }
}

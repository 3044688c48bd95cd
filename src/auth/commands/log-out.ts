import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { ok, type Result } from '../../platform/result';
import { digestOf } from '../../platform/secret-token';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { SessionRepository } from '../data/session.repository';

/**
 * Ends the session that a refresh token belongs to; a token that is not known changes nothing and
 * is no failure.
 */
export class LogOut extends Command<Result> {
  constructor(readonly refreshToken: string | undefined) {
    super();
  }
}

@CommandHandler(LogOut)
export class LogOutHandler implements ICommandHandler<LogOut> {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ refreshToken }: LogOut) {
    return this.unitOfWork.transaction(async () => {
      if (refreshToken) await this.sessions.revokeByToken(digestOf(refreshToken), this.clock.now(), 'logout');
      return ok();
    });
  }
}

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { ok, type Result } from '../../platform/result';
import { RefreshTokenRepository } from '../data/refresh-token.repository';
import { SessionRevoker } from '../services/session-revoker';

/** Ends the session that a refresh token belongs to. An unknown token is not a failure. */
export class LogOut extends Command<Result> {
  constructor(readonly refreshToken: string | undefined) {
    super();
  }
}

@CommandHandler(LogOut)
export class LogOutHandler implements ICommandHandler<LogOut> {
  constructor(
    private readonly refreshTokens: RefreshTokenRepository,
    private readonly sessionRevoker: SessionRevoker,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ refreshToken }: LogOut) {
    return this.unitOfWork.transaction(async () => {
      const token = refreshToken ? await this.refreshTokens.refOf(refreshToken) : undefined;
      if (token) await this.sessionRevoker.revokeByToken(token, 'logout');
      return ok();
    });
  }
}

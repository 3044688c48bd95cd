import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { SessionRevoker } from '../services/session-revoker';

/** Ends the caller's sessions except for the current one. */
export class EndOtherSessions extends Command<Result> {
  constructor(readonly actor: Pick<Actor, 'userId' | 'tokenId'>) {
    super();
  }
}

@CommandHandler(EndOtherSessions)
export class EndOtherSessionsHandler implements ICommandHandler<EndOtherSessions> {
  constructor(
    private readonly users: UserRepository,
    private readonly sessionRevoker: SessionRevoker,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor }: EndOtherSessions) {
    return this.unitOfWork.transaction(async () => {
      await this.users.lock(actor.userId); // a sign-in that trusts its browser comes before or after
      await this.sessionRevoker.revokeOthers(actor.userId, actor.tokenId, 'ended-by-user');
      return ok();
    });
  }
}

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { SessionRevoker } from '../services/session-revoker';

/** Ends one of the caller's sessions. NOT_FOUND for any other session. */
export class EndSession extends Command<Result<void, 'NOT_FOUND'>> {
  constructor(
    readonly actor: Pick<Actor, 'userId'>,
    readonly sessionId: string,
  ) {
    super();
  }
}

@CommandHandler(EndSession)
export class EndSessionHandler implements ICommandHandler<EndSession> {
  constructor(
    private readonly sessionRevoker: SessionRevoker,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, sessionId }: EndSession) {
    return this.unitOfWork.transaction(async () => {
      const revoked = await this.sessionRevoker.revokeOne(actor.userId, sessionId, 'ended-by-user');
      return revoked > 0 ? ok() : err(PlatformFailures.notFound);
    });
  }
}

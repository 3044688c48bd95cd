import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { RevokedTokens } from '../../http/access/revoked-tokens';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { Job } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { ApiKeyRepository } from '../data/api-key.repository';
import { ApiKeyRevoked } from '../keys.events';

/** Revokes all personal tokens of a user, because another person may have used the account. */
@Job('revoke-personal-tokens')
export class RevokePersonalTokens extends Command<Result> {
  constructor(readonly userId: string) {
    super();
  }
}

@CommandHandler(RevokePersonalTokens)
export class RevokePersonalTokensHandler implements ICommandHandler<RevokePersonalTokens> {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly revokedTokens: RevokedTokens,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ userId }: RevokePersonalTokens) {
    return this.unitOfWork.acrossTenants(async () => {
      const revoked = await this.keys.revokeTokensOf(userId, this.clock.now());
      if (revoked.length > 0) await this.revokedTokens.revoke([userId]);
      const by = { userId, impersonatorId: null };
      await this.events.publish(...revoked.map((token) => new ApiKeyRevoked(by, token)));
      return ok();
    });
  }
}

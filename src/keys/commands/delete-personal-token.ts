import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { RevokedTokens } from '../../http/access/revoked-tokens';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { ApiKeyRepository } from '../data/api-key.repository';
import { PersonalTokenDeleted } from '../keys.events';

/** Deletes a personal token of the person, in whichever tenant. NOT_FOUND. */
export class DeletePersonalToken extends Command<Result<void, 'NOT_FOUND'>> {
  constructor(
    readonly actor: Actor,
    readonly tokenId: string,
  ) {
    super();
  }
}

@CommandHandler(DeletePersonalToken)
export class DeletePersonalTokenHandler implements ICommandHandler<DeletePersonalToken> {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly revokedTokens: RevokedTokens,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, tokenId }: DeletePersonalToken) {
    return this.unitOfWork.acrossTenants(async () => {
      const token = await this.keys.removeToken(actor.userId, tokenId);
      if (!token) return err(PlatformFailures.notFound);
      await this.revokedTokens.revoke([token.id]);
      await this.events.publish(new PersonalTokenDeleted(actor, token));
      return ok();
    });
  }
}

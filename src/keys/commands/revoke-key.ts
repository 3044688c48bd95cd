import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { RevokedTokens } from '../../http/access/revoked-tokens';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { ApiKeyRepository } from '../data/api-key.repository';
import { ApiKeyRevoked } from '../keys.events';

/**
 * Revokes a key of a service account, or a personal token of a member. It is refused on every
 * instance within a second. NOT_FOUND. A revoked one stays revoked.
 */
export class RevokeKey extends Command<Result<void, 'NOT_FOUND'>> {
  constructor(
    readonly actor: TenantActor,
    readonly keyId: string,
  ) {
    super();
  }
}

@CommandHandler(RevokeKey)
export class RevokeKeyHandler implements ICommandHandler<RevokeKey> {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly revokedTokens: RevokedTokens,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor, keyId }: RevokeKey) {
    return this.unitOfWork.inTenant(actor, async () => {
      const key = await this.keys.lock(actor.tenantId, keyId);
      if (!key) return err(PlatformFailures.notFound);
      if (!key.revoke(this.clock.now())) return ok();
      await this.keys.save(key);
      await this.revokedTokens.revoke([key.id]);
      await this.events.publish(new ApiKeyRevoked(actor, key));
      return ok();
    });
  }
}

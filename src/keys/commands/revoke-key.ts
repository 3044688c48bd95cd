import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { RevokedTokens } from '../../http/access/revoked-tokens';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { ApiKeyRepository } from '../data/api-key.repository';
import { ApiKeyRevoked, KeysStopped } from '../keys.events';
import { KeyRevocationPolicy } from '../services/key-revocation-policy';

/**
 * Revokes a key of a service account, or a personal token of a member. It is refused on every
 * instance within a second, and an email tells the person whose it was. PERMISSION_NOT_HELD if a
 * key revokes one with a permission that it or its person lacks. NOT_FOUND. A revoked one stays
 * revoked.
 */
export class RevokeKey extends Command<Result<void, 'NOT_FOUND' | 'PERMISSION_NOT_HELD'>> {
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
    private readonly revocationPolicy: KeyRevocationPolicy,
    private readonly revokedTokens: RevokedTokens,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor, keyId }: RevokeKey) {
    return this.unitOfWork.inTenant(actor, async () => {
      const check = await this.revocationPolicy.checkFor(actor);
      const key = await this.keys.lock(actor.tenantId, keyId);
      if (!key) return err(PlatformFailures.notFound);
      const allowed = check([key]);
      if (!allowed.ok) return allowed;
      if (!key.revoke(this.clock.now())) return ok();
      await this.keys.save(key);
      await this.revokedTokens.revoke([key.id]);
      await this.events.publish(new ApiKeyRevoked(actor, key), new KeysStopped(actor, actor.tenantId, [key]));
      return ok();
    });
  }
}

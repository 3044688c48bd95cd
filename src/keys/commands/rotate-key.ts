import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import type { TenantPerson } from '../../http/access/actor';
import { RevokedTokens } from '../../http/access/revoked-tokens';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { mustHoldAll, RoleGrantPolicy } from '../../tenants/tenants.api';
import { apiKeyDetails } from '../data/api-key.columns';
import { ApiKeyRepository } from '../data/api-key.repository';
import { newKeyToken } from '../domain/key-token';
import { ApiKeyRotated } from '../keys.events';
import type { NewApiKeyView } from '../http/views/keys.views';

/**
 * Replaces a key of a service account by another one with the same terms; both can be used during
 * the overlap. PERMISSION_NOT_HELD for a key with a permission that the person lacks; CONFLICT if
 * it was rotated before or can no longer be used; LIMIT_REACHED; NOT_FOUND, also for a personal
 * token.
 */
export class RotateKey extends Command<
  Result<NewApiKeyView, 'CONFLICT' | 'LIMIT_REACHED' | 'NOT_FOUND' | 'PERMISSION_NOT_HELD'>
> {
  constructor(
    readonly actor: TenantPerson,
    readonly keyId: string,
    readonly overlapHours: number,
  ) {
    super();
  }
}

@CommandHandler(RotateKey)
export class RotateKeyHandler implements ICommandHandler<RotateKey> {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly roleGrantPolicy: RoleGrantPolicy,
    private readonly revokedTokens: RevokedTokens,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  execute({ actor, keyId, overlapHours }: RotateKey) {
    const now = this.clock.now();
    const key = newKeyToken(this.settings.keyPrefix, 'service');
    const work = async () => {
      const grantable = await this.roleGrantPolicy.grantablePermissions(actor);
      const replaced = await this.keys.lock(actor.tenantId, keyId);
      if (!replaced?.serviceAccountId) return err(PlatformFailures.notFound);
      const allowed = mustHoldAll(grantable, replaced.permissions);
      if (!allowed.ok) return allowed;
      const next = replaced.rotate(key, overlapHours, actor.userId, now);
      if (!next.ok) return next;
      const added = await this.keys.addReplacement(next.value, now);
      if (!added.ok) return added;
      await this.keys.save(replaced);
      await this.revokedTokens.revoke([replaced.id]); // instances read its new end
      await this.events.publish(new ApiKeyRotated(actor, replaced));
      return ok({ ...apiKeyDetails(next.value), key });
    };
    return this.unitOfWork.inTenant(actor, work, 'serial');
  }
}

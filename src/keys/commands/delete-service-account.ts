import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { RevokedTokens } from '../../http/access/revoked-tokens';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { ApiKeyRepository } from '../data/api-key.repository';
import { ServiceAccountRepository } from '../data/service-account.repository';
import { KeysStopped, ServiceAccountDeleted } from '../keys.events';
import { KeyRevocationPolicy } from '../services/key-revocation-policy';

/**
 * Deletes a service account with its keys; an email tells who created them. PERMISSION_NOT_HELD if
 * a key deletes one with a permission that it or its person lacks. NOT_FOUND.
 */
export class DeleteServiceAccount extends Command<Result<void, 'NOT_FOUND' | 'PERMISSION_NOT_HELD'>> {
  constructor(
    readonly actor: TenantActor,
    readonly serviceAccountId: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteServiceAccount)
export class DeleteServiceAccountHandler implements ICommandHandler<DeleteServiceAccount> {
  constructor(
    private readonly serviceAccounts: ServiceAccountRepository,
    private readonly keys: ApiKeyRepository,
    private readonly revocationPolicy: KeyRevocationPolicy,
    private readonly revokedTokens: RevokedTokens,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor, serviceAccountId }: DeleteServiceAccount) {
    return this.unitOfWork.inTenant(actor, async () => {
      const check = await this.revocationPolicy.checkFor(actor);
      const account = await this.serviceAccounts.lock(actor.tenantId, serviceAccountId);
      if (!account) return err(PlatformFailures.notFound);
      const keys = await this.keys.listUsable(account, this.clock.now());
      const allowed = check(keys);
      if (!allowed.ok) return allowed;
      await this.revokedTokens.revoke([account.id]);
      await this.serviceAccounts.remove(account);
      await this.events.publish(
        new ServiceAccountDeleted(actor, account),
        new KeysStopped(actor, actor.tenantId, keys),
      );
      return ok();
    });
  }
}

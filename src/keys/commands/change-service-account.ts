import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { RevokedTokens } from '../../http/access/revoked-tokens';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { ApiKeyRepository } from '../data/api-key.repository';
import { serviceAccountDetails } from '../data/service-account.columns';
import { ServiceAccountRepository } from '../data/service-account.repository';
import type { ServiceAccountChanges } from '../domain/service-account';
import { KeysStopped, ServiceAccountChanged } from '../keys.events';
import { KeyRevocationPolicy } from '../services/key-revocation-policy';
import type { ServiceAccountView } from '../http/views/keys.views';

/**
 * Renames, disables or enables a service account; omitted fields stay unchanged. The keys of a
 * disabled one are refused on every instance within a second, and an email tells who created them.
 * PERMISSION_NOT_HELD if a key changes one with a permission that it or its person lacks, or a
 * person enables one with a permission that they lack. NOT_FOUND.
 */
export class ChangeServiceAccount extends Command<Result<ServiceAccountView, 'NOT_FOUND' | 'PERMISSION_NOT_HELD'>> {
  constructor(
    readonly actor: TenantActor,
    readonly serviceAccountId: string,
    readonly changes: ServiceAccountChanges,
  ) {
    super();
  }
}

@CommandHandler(ChangeServiceAccount)
export class ChangeServiceAccountHandler implements ICommandHandler<ChangeServiceAccount> {
  constructor(
    private readonly serviceAccounts: ServiceAccountRepository,
    private readonly keys: ApiKeyRepository,
    private readonly revocationPolicy: KeyRevocationPolicy,
    private readonly revokedTokens: RevokedTokens,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor, serviceAccountId, changes }: ChangeServiceAccount) {
    return this.unitOfWork.inTenant(actor, async () => {
      const { disabled } = changes;
      // to enable one gives its keys their permissions back
      const check =
        disabled === false ? await this.revocationPolicy.checkHeld(actor) : await this.revocationPolicy.checkFor(actor);
      const account = await this.serviceAccounts.lock(actor.tenantId, serviceAccountId);
      if (!account) return err(PlatformFailures.notFound);
      const keys = await this.keys.listUsable(account, this.clock.now());
      const allowed = check(keys);
      if (!allowed.ok) return allowed;
      const wasDisabled = account.disabledAt !== null;
      account.change(changes, this.clock.now());
      await this.serviceAccounts.save(account);
      if (disabled !== undefined) await this.revokedTokens.revoke([account.id]);
      await this.events.publish(new ServiceAccountChanged(actor, account));
      if (disabled && !wasDisabled) await this.events.publish(new KeysStopped(actor, actor.tenantId, keys));
      return ok(serviceAccountDetails(account));
    });
  }
}

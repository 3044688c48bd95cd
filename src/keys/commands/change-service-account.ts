import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { RevokedTokens } from '../../http/access/revoked-tokens';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { serviceAccountDetails } from '../data/service-account.columns';
import { ServiceAccountRepository } from '../data/service-account.repository';
import type { ServiceAccountChanges } from '../domain/service-account';
import { ServiceAccountChanged } from '../keys.events';
import type { ServiceAccountView } from '../http/views/keys.views';

/**
 * Renames, disables or enables a service account; omitted fields stay unchanged. The keys of a
 * disabled one are refused on every instance within a second. NOT_FOUND.
 */
export class ChangeServiceAccount extends Command<Result<ServiceAccountView, 'NOT_FOUND'>> {
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
    private readonly revokedTokens: RevokedTokens,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor, serviceAccountId, changes }: ChangeServiceAccount) {
    return this.unitOfWork.inTenant(actor, async () => {
      const account = await this.serviceAccounts.lock(actor.tenantId, serviceAccountId);
      if (!account) return err(PlatformFailures.notFound);
      account.change(changes, this.clock.now());
      await this.serviceAccounts.save(account);
      if (changes.disabled !== undefined) await this.revokedTokens.revoke([account.id]);
      await this.events.publish(new ServiceAccountChanged(actor, account));
      return ok(serviceAccountDetails(account));
    });
  }
}

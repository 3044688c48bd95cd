import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { RevokedTokens } from '../../http/access/revoked-tokens';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { ServiceAccountRepository } from '../data/service-account.repository';
import { ServiceAccountDeleted } from '../keys.events';

/** Deletes a service account with its keys. NOT_FOUND. */
export class DeleteServiceAccount extends Command<Result<void, 'NOT_FOUND'>> {
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
    private readonly revokedTokens: RevokedTokens,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, serviceAccountId }: DeleteServiceAccount) {
    return this.unitOfWork.inTenant(actor, async () => {
      const account = await this.serviceAccounts.lock(actor.tenantId, serviceAccountId);
      if (!account) return err(PlatformFailures.notFound);
      await this.revokedTokens.revoke([account.id]);
      await this.serviceAccounts.remove(account);
      await this.events.publish(new ServiceAccountDeleted(actor, account));
      return ok();
    });
  }
}

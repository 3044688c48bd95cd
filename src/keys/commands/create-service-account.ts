import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { serviceAccountDetails } from '../data/service-account.columns';
import { ServiceAccountRepository } from '../data/service-account.repository';
import { ServiceAccount } from '../domain/service-account';
import { ServiceAccountCreated } from '../keys.events';
import type { ServiceAccountView } from '../http/views/keys.views';

/** Creates a service account in the active tenant. LIMIT_REACHED. */
export class CreateServiceAccount extends Command<Result<ServiceAccountView, 'LIMIT_REACHED' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: TenantActor,
    readonly name: string,
  ) {
    super();
  }
}

@CommandHandler(CreateServiceAccount)
export class CreateServiceAccountHandler implements ICommandHandler<CreateServiceAccount> {
  constructor(
    private readonly serviceAccounts: ServiceAccountRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor, name }: CreateServiceAccount) {
    const account = ServiceAccount.create(actor.tenantId, name, actor.userId, this.clock.now());
    return this.unitOfWork.inTenant(
      actor,
      async () => {
        const added = await this.serviceAccounts.add(account);
        if (!added.ok) return added;
        await this.events.publish(new ServiceAccountCreated(actor, account));
        return ok(serviceAccountDetails(account));
      },
      'serial',
    );
  }
}

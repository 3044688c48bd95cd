import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import type { TenantPerson } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { invalid, PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { mustHoldAll, RoleGrantPolicy } from '../../tenants/tenants.api';
import { apiKeyDetails } from '../data/api-key.columns';
import { ApiKeyRepository } from '../data/api-key.repository';
import { ServiceAccountRepository } from '../data/service-account.repository';
import { ApiKey, type KeyTerms } from '../domain/api-key';
import { newKeyToken } from '../domain/key-token';
import { ApiKeyCreated } from '../keys.events';
import type { NewApiKeyView } from '../http/views/keys.views';

/**
 * Creates a key of a service account; only the answer has the key itself. PERMISSION_NOT_HELD for a
 * permission that the person lacks, VALIDATION_ERROR for an end in the past, LIMIT_REACHED,
 * NOT_FOUND.
 */
export class CreateServiceKey extends Command<
  Result<NewApiKeyView, 'LIMIT_REACHED' | 'NOT_FOUND' | 'PERMISSION_NOT_HELD' | 'VALIDATION_ERROR'>
> {
  constructor(
    readonly actor: TenantPerson,
    readonly serviceAccountId: string,
    readonly terms: KeyTerms,
  ) {
    super();
  }
}

@CommandHandler(CreateServiceKey)
export class CreateServiceKeyHandler implements ICommandHandler<CreateServiceKey> {
  constructor(
    private readonly serviceAccounts: ServiceAccountRepository,
    private readonly keys: ApiKeyRepository,
    private readonly roleGrantPolicy: RoleGrantPolicy,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ actor, serviceAccountId, terms }: CreateServiceKey) {
    const now = this.clock.now();
    if (terms.expiresAt && terms.expiresAt <= now) return err(invalid({ expiresAt: ['must be in the future'] }));
    const key = newKeyToken(this.settings.keyPrefix, 'service');
    return this.unitOfWork.inTenant(
      actor,
      async () => {
        const grantable = await this.roleGrantPolicy.grantablePermissions(actor);
        const account = await this.serviceAccounts.lock(actor.tenantId, serviceAccountId);
        if (!account) return err(PlatformFailures.notFound);
        const allowed = mustHoldAll(grantable, terms.permissions);
        if (!allowed.ok) return allowed;
        const apiKey = ApiKey.issue(actor.tenantId, { serviceAccountId }, terms, key, actor.userId, now);
        const added = await this.keys.add(apiKey, now);
        if (!added.ok) return added;
        await this.events.publish(new ApiKeyCreated(actor, apiKey));
        return ok({ ...apiKeyDetails(apiKey), key });
      },
      'serial',
    );
  }
}

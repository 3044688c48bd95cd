import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { PlanLimitCheck } from '../../billing/billing.api';
import type { TenantPerson } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { invalid, PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
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
 * permission that the person lacks, VALIDATION_ERROR for an end in the past, PLAN_REQUIRED beyond
 * the keys of the plan, NOT_FOUND.
 */
export class CreateServiceKey extends Command<
  Result<NewApiKeyView, 'NOT_FOUND' | 'PERMISSION_NOT_HELD' | 'PLAN_REQUIRED' | 'VALIDATION_ERROR'>
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
    private readonly planLimits: PlanLimitCheck,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ actor, serviceAccountId, terms }: CreateServiceKey) {
    const now = this.clock.now();
    if (terms.expiresAt && terms.expiresAt <= now) return err(invalid({ expiresAt: ['must be in the future'] }));
    const key = newKeyToken(this.settings.keyPrefix, 'service');
    return this.planLimits.within(actor, 'keys', async () => {
      const grantable = await this.roleGrantPolicy.grantablePermissions(actor);
      const account = await this.serviceAccounts.lock(actor.tenantId, serviceAccountId);
      if (!account) return err(PlatformFailures.notFound);
      const allowed = mustHoldAll(grantable, terms.permissions);
      if (!allowed.ok) return allowed;
      const apiKey = ApiKey.issue(actor.tenantId, { serviceAccountId }, terms, key, actor.userId, now);
      await this.keys.add(apiKey);
      await this.events.publish(new ApiKeyCreated(actor, apiKey));
      return ok({ ...apiKeyDetails(apiKey), key });
    });
  }
}

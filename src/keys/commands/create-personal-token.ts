import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import type { TenantPerson } from '../../http/access/actor';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import type { Permission } from '../../platform/permissions';
import { invalid } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { mustHoldAll, RoleGrantPolicy } from '../../tenants/tenants.api';
import { apiKeyDetails } from '../data/api-key.columns';
import { ApiKeyRepository } from '../data/api-key.repository';
import { ApiKey } from '../domain/api-key';
import { MAX_TOKEN_DAYS } from '../domain/key-limits';
import { newKeyToken } from '../domain/key-token';
import { PersonalTokenCreated } from '../keys.events';
import type { NewApiKeyView } from '../http/views/keys.views';

/** What a personal token is created with. */
export interface PersonalTokenTerms {
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly expiresAt: Date;
}

/**
 * Creates a personal token for the active tenant; only the answer has the token itself.
 * PERMISSION_NOT_HELD for a permission that the person lacks, VALIDATION_ERROR for an end that is
 * not within a year, LIMIT_REACHED, NOT_FOUND.
 */
export class CreatePersonalToken extends Command<
  Result<NewApiKeyView, 'LIMIT_REACHED' | 'NOT_FOUND' | 'PERMISSION_NOT_HELD' | 'VALIDATION_ERROR'>
> {
  constructor(
    readonly actor: TenantPerson,
    readonly terms: PersonalTokenTerms,
  ) {
    super();
  }
}

@CommandHandler(CreatePersonalToken)
export class CreatePersonalTokenHandler implements ICommandHandler<CreatePersonalToken> {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly roleGrantPolicy: RoleGrantPolicy,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ actor, terms }: CreatePersonalToken) {
    const now = this.clock.now();
    if (terms.expiresAt <= now || terms.expiresAt > addSeconds(now, MAX_TOKEN_DAYS * DAY))
      return err(invalid({ expiresAt: ['must be in the future, and within a year'] }));
    const { tenantId, userId } = actor;
    const key = newKeyToken(this.settings.keyPrefix, 'token');
    const token = ApiKey.issue(
      tenantId,
      { userId },
      { ...terms, allowedNetworks: [], perMinute: null },
      key,
      userId,
      now,
    );
    return this.unitOfWork.inTenant(
      actor,
      async () => {
        const allowed = mustHoldAll(await this.roleGrantPolicy.grantablePermissions(actor), terms.permissions);
        if (!allowed.ok) return allowed;
        const added = await this.keys.addToken(token, now);
        if (!added.ok) return added;
        await this.events.publish(new PersonalTokenCreated(actor, token));
        return ok({ ...apiKeyDetails(token), key });
      },
      'serial',
    );
  }
}

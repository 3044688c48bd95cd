import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { MAX_TOKEN_DAYS, SessionCheck, SignInPolicyRepository } from '../../auth/auth.api';
import type { TenantPerson } from '../../http/access/actor';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import type { Permission } from '../../platform/permissions';
import { invalid, PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { mustHoldAll, RoleGrantPolicy } from '../../tenants/tenants.api';
import { apiKeyDetails } from '../data/api-key.columns';
import { ApiKeyRepository } from '../data/api-key.repository';
import { ApiKey } from '../domain/api-key';
import { newKeyToken } from '../domain/key-token';
import { PersonalTokenCreated } from '../keys.events';
import { KeyFailures } from '../keys.failures';
import type { NewApiKeyView } from '../http/views/keys.views';

/** What a personal token is created with. */
export interface PersonalTokenTerms {
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly expiresAt: Date;
  /** Addresses and ranges from which it can be used; empty: from everywhere. */
  readonly allowedNetworks: readonly string[];
}

/**
 * Creates a personal token for the active tenant; only the answer has the token itself.
 * PERMISSION_NOT_HELD for a permission that the person lacks, VALIDATION_ERROR for an end that is
 * not within a year or as many days as the tenant allows, PERSONAL_TOKENS_NOT_ALLOWED,
 * LIMIT_REACHED, SESSION_ENDED, NOT_FOUND. It remembers what its session has proven.
 */
export class CreatePersonalToken extends Command<
  Result<
    NewApiKeyView,
    | 'LIMIT_REACHED'
    | 'NOT_FOUND'
    | 'PERMISSION_NOT_HELD'
    | 'PERSONAL_TOKENS_NOT_ALLOWED'
    | 'SESSION_ENDED'
    | 'VALIDATION_ERROR'
  >
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
    private readonly policies: SignInPolicyRepository,
    private readonly sessionCheck: SessionCheck,
    private readonly roleGrantPolicy: RoleGrantPolicy,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  execute({ actor, terms }: CreatePersonalToken) {
    const now = this.clock.now();
    const { tenantId, userId } = actor;
    const key = newKeyToken(this.settings.keyPrefix, 'token');
    return this.unitOfWork.inTenant(
      actor,
      async () => {
        const mayLive = checkEnd(terms.expiresAt, await this.policies.maxTokenDays(tenantId), now);
        if (!mayLive.ok) return mayLive;
        const allowed = mustHoldAll(await this.roleGrantPolicy.grantablePermissions(actor), terms.permissions);
        if (!allowed.ok) return allowed;
        const proven = await this.sessionCheck.provenIn(actor.tokenId);
        if (!proven) return err(PlatformFailures.sessionEnded);
        const { methods, secondFactorAt } = proven;
        const owner = { userId, methods, secondFactorAt };
        const token = ApiKey.issue(tenantId, owner, { ...terms, perMinute: null }, key, userId, now);
        const added = await this.keys.addToken(token, now);
        if (!added.ok) return added;
        await this.events.publish(new PersonalTokenCreated(actor, token));
        return ok({ ...apiKeyDetails(token), key });
      },
      'serial',
    );
  }
}

/** @param most days that the tenant allows; null: it has no rule */
function checkEnd(
  expiresAt: Date,
  most: number | null,
  now: Date,
): Result<void, 'PERSONAL_TOKENS_NOT_ALLOWED' | 'VALIDATION_ERROR'> {
  if (most === 0) return err(KeyFailures.tokensOff);
  const days = most ?? MAX_TOKEN_DAYS;
  if (expiresAt > now && expiresAt <= addSeconds(now, days * DAY)) return ok();
  return err(invalid({ expiresAt: [`must be in the future, and within ${days} days`] }));
}

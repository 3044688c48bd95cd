import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import type { Result } from '../../platform/result';
import type { IssuedAccessToken } from '../domain/token-pair';
import type { PolicyFailure } from '../domain/policy-failures';
import { SessionIssuer } from '../services/session-issuer';

/**
 * Changes the active tenant of the current session. The refresh token stays valid; the next refresh
 * is for the new tenant. NOT_FOUND if the caller is not a member of the tenant; SESSION_ENDED if
 * the session has ended while its access token is still valid; what the sign-in policy of the
 * tenant asks for.
 */
export class SwitchTenant extends Command<Result<IssuedAccessToken, 'NOT_FOUND' | 'SESSION_ENDED' | PolicyFailure>> {
  constructor(
    readonly actor: Actor,
    readonly tenantId: string,
  ) {
    super();
  }
}

@CommandHandler(SwitchTenant)
export class SwitchTenantHandler implements ICommandHandler<SwitchTenant> {
  constructor(private readonly issuer: SessionIssuer) {}

  /** One statement, and its own transaction. */
  execute({ actor, tenantId }: SwitchTenant) {
    return this.issuer.switchTenant(actor, tenantId);
  }
}

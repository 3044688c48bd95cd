import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { MEMBERSHIP_COLUMNS, type MembershipRow } from '../../tenants/tenants.api';
import type { IssuedAccessToken } from '../domain/token-pair';
import { SessionIssuer } from '../services/session-issuer';

const MEMBERSHIP = `SELECT ${MEMBERSHIP_COLUMNS} FROM membership_of($1, $2, false)`;

/**
 * Changes the active tenant of the current session. The refresh token stays valid; the next refresh
 * is for the new tenant. NOT_FOUND if the caller is not a member of the tenant; SESSION_ENDED if
 * the session has ended while its access token is still valid.
 */
export class SwitchTenant extends Command<Result<IssuedAccessToken, 'NOT_FOUND' | 'SESSION_ENDED'>> {
  constructor(
    readonly actor: Actor,
    readonly tenantId: string,
  ) {
    super();
  }
}

@CommandHandler(SwitchTenant)
export class SwitchTenantHandler implements ICommandHandler<SwitchTenant> {
  constructor(
    private readonly issuer: SessionIssuer,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, tenantId }: SwitchTenant) {
    return this.unitOfWork.transaction(async () => {
      const parameters = [actor.userId, tenantId];
      const [membership] = await this.unitOfWork.query<MembershipRow & { tenantId: string }>(MEMBERSHIP, parameters);
      if (!membership) return err(PlatformFailures.notFound);
      const issued = await this.issuer.switchTenant(actor.tokenId, membership);
      return issued ? ok(issued) : err(PlatformFailures.sessionEnded);
    });
  }
}

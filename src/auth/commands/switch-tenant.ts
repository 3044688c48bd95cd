import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { MEMBERSHIP_COLUMNS, type MembershipRow } from '../../tenants/tenants.api';
import { SessionIssuer } from '../services/session-issuer';
import type { AccessTokenView } from '../domain/token-pair';

/**
 * Makes another of one's tenants the active one of this session. It keeps its refresh token, whose
 * next use is for that tenant. NOT_FOUND for a tenant that one is not in, SESSION_ENDED when the
 * session has ended while its access token still lives.
 */
export class SwitchTenant extends Command<Result<AccessTokenView>> {
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
      const sql = `SELECT ${MEMBERSHIP_COLUMNS} FROM membership_of($1, $2, false)`;
      const [membership] = await this.unitOfWork.query<MembershipRow & { tenantId: string }>(sql, [
        actor.userId,
        tenantId,
      ]);
      if (!membership) return err(PlatformFailures.notFound);
      const switched = await this.issuer.switchTenant(actor.tokenId, membership);
      return switched ? ok(switched) : err(PlatformFailures.sessionEnded);
    });
  }
}

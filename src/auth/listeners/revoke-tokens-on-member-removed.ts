import { Injectable, type OnModuleInit } from '@nestjs/common';
import { memberKey, RevokedTokens } from '../../http/access/revoked-tokens';
import { DomainEvents } from '../../platform/domain-events';
import { MemberRemoved, TenantDeleted } from '../../tenants/tenants.api';

/**
 * Revokes access tokens for a tenant when the member is removed or the tenant is deleted. Sessions
 * stay live: the next refresh is for another tenant.
 */
@Injectable()
export class RevokeTokensOnMemberRemoved implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly revokedTokens: RevokedTokens,
  ) {}

  onModuleInit(): void {
    this.events.on(MemberRemoved, (events) =>
      this.revokedTokens.revoke(events.map(({ target, tenantId }) => memberKey(target.id, tenantId!))),
    );
    this.events.on(TenantDeleted, (events) => this.revokedTokens.revoke(events.map(({ target }) => target.id)));
  }
}

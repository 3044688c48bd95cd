import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import type { SubscriptionSummaryView, SubscriptionView } from '../../billing/billing.api';
import type { Actor } from '../../http/access/actor';
import type { Permission } from '../../platform/permissions';
import { Database } from '../../platform/database/database';
import { columns, select } from '../../platform/database/select-list';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { PROFILE_FIELDS, toUserProfile, User, type UserProfile } from '../../users/users.api';
import type { MeView } from '../http/views/me.views';

/** The current user. UNAUTHENTICATED if the account was deleted after the token was issued. */
export class GetMe extends Query<Result<MeView, 'UNAUTHENTICATED'>> {
  constructor(
    readonly actor: Actor,
    /** The subscription of the active tenant, as cached by the request. */
    readonly subscription: SubscriptionView | undefined,
  ) {
    super();
  }
}

type UserRow = UserProfile & Pick<User, 'deletesAt'> & { readonly tenantName: string | null };

@QueryHandler(GetMe)
export class GetMeHandler implements IQueryHandler<GetMe> {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ actor, subscription }: GetMe) {
    // a replica may not have a new account yet
    const [row] = await this.database.readOrQuery<UserRow>(ME, [actor.userId, actor.tenantId]);
    if (!row) return err(PlatformFailures.unauthenticated);
    const { tenantId, role, permissions, impersonatorId } = actor;
    const tenant = tenantId && row.tenantName !== null ? { id: tenantId, name: row.tenantName } : null;
    const user = toUserProfile(row, this.settings.adminEmails, actor.isAdmin);
    return ok({
      user,
      tenant,
      role,
      permissions,
      subscription: tenant && subscription ? visibleTo(actor, subscription) : null,
      impersonatorId,
      deletesAt: row.deletesAt,
    });
  }
}

const READ_SUBSCRIPTION: Permission = 'tenant.billing.read';

function visibleTo({ permissions }: Actor, subscription: SubscriptionView): SubscriptionView | SubscriptionSummaryView {
  const { plan, status } = subscription;
  return permissions.includes(READ_SUBSCRIPTION) ? subscription : { plan, status };
}

/**
 * One round trip, outside of a tenant's transaction: `membership_of` returns the name of the tenant
 * $2 if the user $1 is a member of it.
 */
export const ME = `
  SELECT ${select<UserRow>()({ ...columns(User, 'u', [...PROFILE_FIELDS, 'deletesAt']), tenantName: 'm.tenant_name' })}
    FROM users u LEFT JOIN LATERAL membership_of(u.id, $2, false) m ON true
   WHERE u.id = $1`;

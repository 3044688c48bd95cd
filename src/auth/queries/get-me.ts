import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { NullableText } from '../../http/validation/field.decorators';
import { SETTINGS, type Settings } from '../../config/settings';
import { SubscriptionSummaryView, SubscriptionView } from '../../billing/billing.api';
import type { Actor } from '../../http/access/actor';
import type { Permission } from '../../platform/permissions';
import { Database } from '../../platform/database/database';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UserView } from '../../users/users.api';

/** The tenant that is active in a token. */
export class ActiveTenantView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String }) readonly name!: string;
}

/** Who the caller is, and as what (contract section 3). */
@ApiExtraModels(ActiveTenantView, SubscriptionSummaryView, SubscriptionView)
export class MeView {
  @ApiProperty({ type: UserView }) readonly user!: UserView;
  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(ActiveTenantView) }, { type: 'null' }],
    description: 'The active tenant; null for who is in none, or has left it while the token still lives',
  })
  readonly tenant!: ActiveTenantView | null;
  @ApiProperty({ type: String, description: 'The role in the active tenant, "" without one' }) readonly role!: string;
  @ApiProperty({ type: [String] }) readonly permissions!: readonly string[];
  @ApiProperty({
    anyOf: [
      { $ref: getSchemaPath(SubscriptionView) },
      { $ref: getSchemaPath(SubscriptionSummaryView) },
      { type: 'null' },
    ],
    description:
      "The active tenant's subscription, at most 5 minutes old; GET /billing/subscription tells it as it is now. Plan and status alone for who does " +
      'not hold tenant.billing.read',
  })
  readonly subscription!: SubscriptionView | SubscriptionSummaryView | null;
  @NullableText({ format: 'uuid', description: 'The admin behind an impersonation' })
  readonly impersonatorId!: string | null;
}

/** UNAUTHENTICATED when the account is gone while its token still lives. */
export class GetMe extends Query<Result<MeView>> {
  constructor(
    readonly actor: Actor,
    /** What the request carries of the tenant's subscription. */
    readonly subscription: SubscriptionView | undefined,
  ) {
    super();
  }
}

type Found = UserView & { readonly tenantName: string | null };

@QueryHandler(GetMe)
export class GetMeHandler implements IQueryHandler<GetMe> {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ actor, subscription }: GetMe): Promise<Result<MeView>> {
    const parameters = [actor.userId, actor.tenantId];
    const [copy] = await this.database.read<Found>(ME, parameters);
    // a replica may not know a new account yet
    const found = copy ?? (await this.database.query<Found>(ME, parameters))[0];
    if (!found) return err(PlatformFailures.unauthenticated);
    const { tenantId, role, permissions, impersonatorId } = actor;
    const tenant = tenantId && found.tenantName !== null ? { id: tenantId, name: found.tenantName } : null;
    const user = UserView.of(found, this.settings.adminEmails, actor.isAdmin);
    return ok({
      user,
      tenant,
      role,
      permissions,
      subscription: tenant && subscription ? shownTo(actor, subscription) : null,
      impersonatorId,
    });
  }
}

const NEEDED_FOR_ALL: Permission = 'tenant.billing.read';

function shownTo({ permissions }: Actor, subscription: SubscriptionView): SubscriptionView | SubscriptionSummaryView {
  const { plan, status } = subscription;
  return permissions.includes(NEEDED_FOR_ALL) ? subscription : { plan, status };
}

/**
 * One round trip, without a tenant's scope: `membership_of` looks through to the name of the tenant
 * $2, if the person $1 is in it.
 */
export const ME = `
  SELECT u.id, u.email, u.name, u.is_email_verified AS "isEmailVerified", u.picture_url AS "pictureUrl",
    u.is_admin AS "isAdmin",
         u.created_at AS "createdAt", m.tenant_name AS "tenantName"
    FROM users u LEFT JOIN LATERAL membership_of(u.id, $2, false) m ON true
   WHERE u.id = $1`;

import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { SubscriptionSummaryView, SubscriptionView } from '../../../billing/billing.api';
import { NullableText, NullableTime } from '../../../http/validation/nullable.decorators';
import { UserView } from '../../../users/users.api';

/** The active tenant of an access token. */
export class ActiveTenantView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String }) readonly name!: string;
}

/** The current user (docs/contract.md, Account operations). */
@ApiExtraModels(ActiveTenantView, SubscriptionSummaryView, SubscriptionView)
export class MeView {
  @ApiProperty({ type: UserView, description: 'The user that the token was issued for' }) readonly user!: UserView;
  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(ActiveTenantView) }, { type: 'null' }],
    description: 'The active tenant; null if the user has none or was removed from it after the token was issued',
  })
  readonly tenant!: ActiveTenantView | null;
  @ApiProperty({ type: String, description: 'The role in the active tenant; empty without a tenant' })
  readonly role!: string;
  @ApiProperty({ type: [String], description: 'The permissions of the role' }) readonly permissions!: readonly string[];
  @ApiProperty({
    anyOf: [
      { $ref: getSchemaPath(SubscriptionView) },
      { $ref: getSchemaPath(SubscriptionSummaryView) },
      { type: 'null' },
    ],
    description:
      "The active tenant's subscription, up to 5 minutes old; GET /billing/subscription returns the current one. " +
      'Without the permission tenant.billing.read, only plan and status.',
  })
  readonly subscription!: SubscriptionView | SubscriptionSummaryView | null;
  @NullableText({ format: 'uuid', description: 'The admin who is impersonating the user' })
  readonly impersonatorId!: string | null;
  @NullableTime('Time at which the account will be deleted; null if no deletion is planned')
  readonly deletesAt!: Date | null;
}

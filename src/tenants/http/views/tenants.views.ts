import { ApiProperty } from '@nestjs/swagger';
import { COUNT } from '../../../http/validation/count-schema';
import { NullableText, NullableTime } from '../../../http/validation/nullable.decorators';
import { ALL_PERMISSIONS, type Permission } from '../../../platform/permissions';

const PermissionList = () => ApiProperty({ enum: ALL_PERMISSIONS, enumName: 'Permission', isArray: true });

export class TenantView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String }) readonly name!: string;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
}

/** A tenant of the caller, with their role in it. */
export class MembershipView {
  @ApiProperty({ type: TenantView, description: 'A tenant of the user' }) readonly tenant!: TenantView;
  @ApiProperty({ type: String, description: 'Name of your role in the tenant' }) readonly role!: string;
  @ApiProperty({ type: String, format: 'date-time' }) readonly joinedAt!: Date;
}

/** The same, with what keeps the session of the request out of the tenant. */
export class OwnMembershipView extends MembershipView {
  @NullableText({
    description:
      'What the sign-in policy of the tenant requires of this session: `second-factor`, `method` (sign in with ' +
      'another method) or `session-age` (sign in again); null if the tenant can be used',
  })
  readonly obstacle!: string | null;
}

export class MemberView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly userId!: string;
  @ApiProperty({ type: String, format: 'email' }) readonly email!: string;
  @ApiProperty({ type: String }) readonly name!: string;
  @NullableText() readonly pictureUrl!: string | null;
  @ApiProperty({ type: String, format: 'uuid' }) readonly roleId!: string;
  @ApiProperty({ type: String, description: 'Name of the role' }) readonly role!: string;
  @ApiProperty({ type: String, format: 'date-time' }) readonly joinedAt!: Date;
  @ApiProperty({
    anyOf: [{ type: 'boolean' }, { type: 'null' }],
    description: 'Whether the account has a second factor; null without the permission tenant.security.manage',
    example: true,
  })
  readonly hasSecondFactor!: boolean | null;
}

export class RoleView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String }) readonly name!: string;
  @PermissionList() readonly permissions!: readonly Permission[];
  @ApiProperty({ type: Boolean }) readonly isBuiltIn!: boolean;
  @ApiProperty({ ...COUNT, description: 'At most 5 minutes old if it was above 10,000' })
  readonly memberCount!: number;
}

export class RevokedInvitationView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String, format: 'email' }) readonly email!: string;
}

/** What was deleted with a role. */
export class DeletedRoleView {
  @ApiProperty({ type: 'integer', description: 'Number of invitations to the role, which were revoked' })
  readonly revokedInvitations!: number;
  @ApiProperty({ type: [RevokedInvitationView], description: 'The first 100 of them' })
  readonly invitations!: readonly RevokedInvitationView[];
}

export class PermissionView {
  @ApiProperty({ enum: ALL_PERMISSIONS, enumName: 'Permission' }) readonly name!: Permission;
  @ApiProperty({ type: String, description: 'What the permission allows' }) readonly description!: string;
}

export class InvitationView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String, format: 'email' }) readonly email!: string;
  @ApiProperty({ type: String, format: 'uuid' }) readonly roleId!: string;
  @ApiProperty({ type: String, description: 'Name of the role' }) readonly role!: string;
  @NullableText({ format: 'uuid', description: 'User who sent the invitation; null if the account was deleted' })
  readonly invitedBy!: string | null;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
  @ApiProperty({ type: String, format: 'date-time' }) readonly expiresAt!: Date;
}

const MailDelayedUntil = () =>
  NullableTime('The earliest time at which the limits let the email be sent; null if it is sent at once');

/** When the email of an invitation that was sent again is sent. */
export class ResentInvitationView {
  @MailDelayedUntil() readonly mailDelayedUntil!: Date | null;
}

/** An invitation that was just created. */
export class SentInvitationView extends InvitationView {
  @MailDelayedUntil() readonly mailDelayedUntil!: Date | null;
}

/** The content of the page that an invitation link opens, before signing in. */
export class InvitationPreview {
  @ApiProperty({ type: String }) readonly tenantName!: string;
  @ApiProperty({ type: String, description: 'Name of the member who sent the invitation' })
  readonly inviterName!: string;
  @ApiProperty({ type: String, format: 'email' }) readonly email!: string;
  @ApiProperty({ type: String, description: 'Name of the role' }) readonly role!: string;
  @ApiProperty({
    type: Boolean,
    description:
      'Whether the address has a verified account. If so, sign in and accept; otherwise register with the invitation',
  })
  readonly accountExists!: boolean;
  @ApiProperty({ type: String, format: 'date-time' }) readonly expiresAt!: Date;
}

import { ApiProperty } from '@nestjs/swagger';
import { ALL_PERMISSIONS } from '../../../platform/permissions';

/** A user who is no longer a member. */
export class FormerMemberEventView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly userId!: string;
}

/** A member with the role in the tenant. */
export class MemberEventView extends FormerMemberEventView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly roleId!: string;
  @ApiProperty({ type: String, description: 'Name of the role' }) readonly role!: string;
}

/** The same with the account. */
export class NewMemberEventView extends MemberEventView {
  @ApiProperty({ type: String, format: 'email' }) readonly email!: string;
  @ApiProperty({ type: String }) readonly name!: string;
}

export class InvitationEventView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String, format: 'email' }) readonly email!: string;
  @ApiProperty({ type: String, format: 'uuid' }) readonly roleId!: string;
  @ApiProperty({ type: String, format: 'date-time' }) readonly expiresAt!: Date;
}

export class RoleEventView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String }) readonly name!: string;
  @ApiProperty({ enum: ALL_PERMISSIONS, enumName: 'Permission', isArray: true })
  readonly permissions!: readonly string[];
}

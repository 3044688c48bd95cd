import { ApiProperty } from '@nestjs/swagger';
import { NullableText, NullableTime } from '../../../http/validation/nullable.decorators';
import { PROVIDERS, UserView, type Provider } from '../../../users/users.api';

const id = { type: String, format: 'uuid' };
const moment = { type: String, format: 'date-time' };

/** A user account in the list for operators. */
export class AdminUserView extends UserView {
  @NullableTime('Time at which the account was disabled; null if enabled')
  readonly disabledAt!: Date | null;
  @NullableTime('Time of the last sign-in; null if there was none')
  readonly lastSignInAt!: Date | null;
  @NullableText({ description: 'Method of the last sign-in, such as `password`; null if unknown' })
  readonly lastSignInMethod!: string | null;
}

export class LinkedProviderView {
  @ApiProperty({ enum: PROVIDERS }) readonly provider!: Provider;
  @ApiProperty({ type: String, description: 'Id of the user at the provider' }) readonly providerUserId!: string;
  @ApiProperty(moment) readonly linkedAt!: Date;
}

export class AdminSessionView {
  @ApiProperty(id) readonly id!: string;
  @ApiProperty(moment) readonly createdAt!: Date;
  @ApiProperty(moment) readonly lastUsedAt!: Date;
  @NullableText() readonly ip!: string | null;
  @NullableText() readonly userAgent!: string | null;
}

export class AdminMembershipView {
  @ApiProperty(id) readonly tenantId!: string;
  @ApiProperty({ type: String }) readonly tenantName!: string;
  @ApiProperty({ type: String, description: 'Name of the role' }) readonly role!: string;
  @ApiProperty(moment) readonly joinedAt!: Date;
}

/** A user account with its sessions, providers and memberships. */
export class AdminUserDetailView extends AdminUserView {
  @ApiProperty({ type: Boolean, description: 'Whether a password is set' }) readonly hasPassword!: boolean;
  @ApiProperty({ type: Boolean, description: 'Whether sign-ins need a second factor' })
  readonly hasSecondFactor!: boolean;
  @NullableTime('Time at which the account will be deleted; null if no deletion is planned')
  readonly deletesAt!: Date | null;
  @ApiProperty({ type: [LinkedProviderView], description: 'Linked identities' })
  readonly providers!: readonly LinkedProviderView[];
  @ApiProperty({ type: [AdminSessionView], description: 'Active sessions, newest first; at most 100' })
  readonly sessions!: readonly AdminSessionView[];
  @ApiProperty({ type: [AdminMembershipView], description: 'Ordered by join date; at most 100' })
  readonly memberships!: readonly AdminMembershipView[];
}

import { ApiProperty } from '@nestjs/swagger';
import { NullableInteger, NullableText, NullableTime } from '../../../http/validation/nullable.decorators';
import { ALL_PERMISSIONS, type Permission } from '../../../platform/permissions';

export class ServiceAccountView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String, example: 'Nightly import' }) readonly name!: string;
  @NullableText({
    format: 'uuid',
    description: 'User who created it; null if the account was deleted or an API key created it',
  })
  readonly createdBy!: string | null;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
  @NullableTime('Time at which it was disabled; null if enabled') readonly disabledAt!: Date | null;
}

/** A key of a service account, or a personal token, without the key itself. */
export class ApiKeyView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String, format: 'uuid' }) readonly tenantId!: string;
  @NullableText({ format: 'uuid', description: 'The service account; null for a personal token' })
  readonly serviceAccountId!: string | null;
  @NullableText({ format: 'uuid', description: 'The owner of a personal token; null for a key of a service account' })
  readonly userId!: string | null;
  @ApiProperty({ type: String, example: 'Production' }) readonly name!: string;
  @ApiProperty({ type: String, description: 'The last characters of the key', example: 'x7Qd' })
  readonly hint!: string;
  @ApiProperty({ enum: ALL_PERMISSIONS, enumName: 'Permission', isArray: true })
  readonly permissions!: readonly Permission[];
  @ApiProperty({
    type: [String],
    description: 'Addresses and ranges from which it can be used; empty: any',
    example: ['203.0.113.0/24'],
  })
  readonly allowedNetworks!: readonly string[];
  @NullableInteger('Maximum number of requests per minute; null: the default limit') readonly perMinute!: number | null;
  @NullableTime('Time of expiry; null if it does not expire') readonly expiresAt!: Date | null;
  @NullableTime('Time of the last use, up to a minute late; null if it was never used')
  readonly lastUsedAt!: Date | null;
  @ApiProperty({
    type: [String],
    description: 'First 20 networks from which it was used; up to a minute late',
    example: ['203.0.113.0/24'],
  })
  readonly usedNetworks!: readonly string[];
  @NullableText({ format: 'uuid', description: 'The key that replaces it' }) readonly rotatedTo!: string | null;
  @NullableTime('Time of the revocation; null if it was not revoked') readonly revokedAt!: Date | null;
  @NullableText({ format: 'uuid', description: 'User who created it; null if the account was deleted' })
  readonly createdBy!: string | null;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
}

/** A new key. */
export class NewApiKeyView extends ApiKeyView {
  @ApiProperty({
    type: String,
    description: 'The key itself; shown only once',
    example: 'tnk_000000000000000000000000000000000000002IRBpn',
  })
  readonly key!: string;
}

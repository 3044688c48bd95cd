import { ApiProperty } from '@nestjs/swagger';
import { NullableInteger, NullableText, NullableTime } from '../../../http/validation/nullable.decorators';
import { ALL_PERMISSIONS, type Permission } from '../../../platform/permissions';

export class ServiceAccountView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String, example: 'Nightly import' }) readonly name!: string;
  @NullableText({ format: 'uuid', description: 'User who created it; null if the account was deleted, or for a key' })
  readonly createdBy!: string | null;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
  @NullableTime('Since when its keys are refused; null if they are not') readonly disabledAt!: Date | null;
}

/** A key of a service account, or a personal token, without the key itself. */
export class ApiKeyView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String, format: 'uuid' }) readonly tenantId!: string;
  @NullableText({ format: 'uuid', description: 'The service account; null for a personal token' })
  readonly serviceAccountId!: string | null;
  @NullableText({ format: 'uuid', description: 'The member whose personal token it is' })
  readonly userId!: string | null;
  @ApiProperty({ type: String, example: 'Production' }) readonly name!: string;
  @ApiProperty({ type: String, description: 'The last characters of the key', example: 'x7Qd' })
  readonly hint!: string;
  @ApiProperty({ enum: ALL_PERMISSIONS, isArray: true }) readonly permissions!: readonly Permission[];
  @ApiProperty({
    type: [String],
    description: 'Addresses and ranges from which it can be used; empty: from everywhere',
    example: ['203.0.113.0/24'],
  })
  readonly allowedNetworks!: readonly string[];
  @NullableInteger('Requests per minute; null: as many as a person') readonly perMinute!: number | null;
  @NullableTime('Null if it does not expire') readonly expiresAt!: Date | null;
  @NullableTime('Up to a minute late; null if it was not used yet') readonly lastUsedAt!: Date | null;
  @ApiProperty({
    type: [String],
    description: 'The first networks that it was used from, at most 20; up to a minute late',
    example: ['203.0.113.0/24'],
  })
  readonly usedNetworks!: readonly string[];
  @NullableText({ format: 'uuid', description: 'The key that replaces it' }) readonly rotatedTo!: string | null;
  @NullableTime('Null if it was not revoked') readonly revokedAt!: Date | null;
  @NullableText({ format: 'uuid', description: 'User who created it; null if the account was deleted' })
  readonly createdBy!: string | null;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
}

/** A new key. */
export class NewApiKeyView extends ApiKeyView {
  @ApiProperty({
    type: String,
    description: 'The key itself, which is shown only once',
    example: 'tnk_000000000000000000000000000000000000002IRBpn',
  })
  readonly key!: string;
}

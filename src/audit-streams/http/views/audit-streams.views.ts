import { ApiProperty } from '@nestjs/swagger';
import { COUNT } from '../../../http/validation/count-schema';
import { NullableInteger, NullableText, NullableTime } from '../../../http/validation/nullable.decorators';
import { NullableDisabledReason, type DisabledReason } from '../../../webhooks/webhooks.api';

export class AuditStreamView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String, example: 'https://example.com/audit' }) readonly url!: string;
  @ApiProperty({ type: String, example: 'Security monitoring' }) readonly description!: string;
  @ApiProperty({ type: Boolean, description: 'Whether requests have an Authorization header' })
  readonly hasAuthorization!: boolean;
  @ApiProperty({ type: String, description: 'Public key for the `v1a` signatures', example: 'whpk_MCowBQ…' })
  readonly publicKey!: string;
  @NullableTime('Time until which requests are also signed with the previous keys') readonly oldKeysUntil!: Date | null;
  @NullableTime('Time at which it was disabled; null if enabled') readonly disabledAt!: Date | null;
  @NullableDisabledReason(
    'Reason: a member disabled it, it answered 410, it failed for five days, or an operator disabled it',
  )
  readonly disabledWhy!: DisabledReason | null;
  @NullableTime('Time of the first failure since the last success') readonly failingSince!: Date | null;
  @NullableText({ description: 'Reason of the last failure; null after a success' }) readonly lastError!: string | null;
  @NullableTime('Time of the last successful request') readonly lastSuccessAt!: Date | null;
  @NullableText({ format: 'uuid', description: 'User who created it; null if unknown, or the account was deleted' })
  readonly createdBy!: string | null;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
}

/** A stream with the age of what was not sent. */
export class AuditStreamStateView extends AuditStreamView {
  @ApiProperty({
    ...COUNT,
    description: 'Age of the oldest entry that was not sent, in seconds; 0 if all were sent',
    example: 2,
  })
  readonly lagSeconds!: number;
}

/** A stream with its secret, which is shown only here. */
export class AuditStreamWithSecretView extends AuditStreamView {
  @ApiProperty({
    type: String,
    description: 'Secret for the `v1` signatures; shown only once',
    example: 'whsec_C2FVsBQ…',
  })
  readonly secret!: string;
}

/** The answer of a receiver to a test. */
export class AuditStreamTestView {
  @ApiProperty({ ...COUNT, description: 'Duration of the request' }) readonly milliseconds!: number;
  @NullableInteger('HTTP status of the response; null if there was none') readonly status!: number | null;
  @NullableText({ description: 'Reason of the failure; null for a success' }) readonly error!: string | null;
  @ApiProperty({ type: String, description: 'First 1 kB of the response', example: 'ok' }) readonly response!: string;
}

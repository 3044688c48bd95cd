import { ApiProperty } from '@nestjs/swagger';
import { NullableInteger, NullableText, NullableTime } from '../../../http/validation/nullable.decorators';
import { NullableDisabledReason, type DisabledReason } from '../../../webhooks/webhooks.api';

export class AuditStreamView {
  @ApiProperty({ type: String, format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String, example: 'https://example.com/audit' }) readonly url!: string;
  @ApiProperty({ type: String, example: 'Security monitoring' }) readonly description!: string;
  @ApiProperty({ type: Boolean, description: 'Whether requests carry a header Authorization' })
  readonly hasAuthorization!: boolean;
  @ApiProperty({ type: String, description: 'Verifies the `v1a` signatures', example: 'whpk_MCowBQ…' })
  readonly publicKey!: string;
  @NullableTime('Until when requests are signed with the previous keys, too') readonly oldKeysUntil!: Date | null;
  @NullableTime('Since when it gets nothing') readonly disabledAt!: Date | null;
  @NullableDisabledReason('Why: you chose so, it answered 410, or it failed for five days')
  readonly disabledWhy!: DisabledReason | null;
  @NullableTime('The first failure since the last success') readonly failingSince!: Date | null;
  @NullableText({ description: 'Why the last request failed' }) readonly lastError!: string | null;
  @NullableTime('The last request that succeeded') readonly lastSuccessAt!: Date | null;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
}

/** A stream with what its receiver does not have. */
export class AuditStreamStateView extends AuditStreamView {
  @ApiProperty({ type: 'integer', description: 'Age of the oldest entry that was not sent; 0: none', example: 2 })
  readonly lagSeconds!: number;
}

/** A stream with its secret, which is shown only here. */
export class AuditStreamWithSecretView extends AuditStreamView {
  @ApiProperty({ type: String, description: 'Verifies the `v1` signatures; shown once', example: 'whsec_C2FVsBQ…' })
  readonly secret!: string;
}

/** The answer of a receiver to a test. */
export class AuditStreamTestView {
  @ApiProperty({ type: 'integer', description: 'How long it took' }) readonly milliseconds!: number;
  @NullableInteger('Status of the answer; null if there was none') readonly status!: number | null;
  @NullableText({ description: 'Why it failed; null for a success' }) readonly error!: string | null;
  @ApiProperty({ type: String, description: 'The first 1 kB of the answer', example: 'ok' }) readonly response!: string;
}

import { ApiProperty } from '@nestjs/swagger';
import { COUNT } from '../../../http/validation/count-schema';
import { NullableText, NullableTime } from '../../../http/validation/nullable.decorators';
import { NullableDisabledReason, type DisabledReason } from '../../../webhooks/webhooks.api';

const id = { type: String, format: 'uuid' };

/** A tenant's audit stream, of whose address operators see the host. */
export class AdminAuditStreamView {
  @ApiProperty(id) readonly id!: string;
  @ApiProperty(id) readonly tenantId!: string;
  @ApiProperty({ type: String, example: 'audit.example.com' }) readonly host!: string;
  @ApiProperty({ type: String, example: 'Security monitoring' }) readonly description!: string;
  @ApiProperty({ ...COUNT, description: 'Failures since the last success' }) readonly failures!: number;
  @NullableTime('Time of the first failure since the last success') readonly failingSince!: Date | null;
  @NullableText({ description: 'Reason of the last failure; null after a success' }) readonly lastError!: string | null;
  @NullableTime('Time of the last successful request') readonly lastSuccessAt!: Date | null;
  @NullableTime('Time at which it was disabled; null if enabled') readonly disabledAt!: Date | null;
  @NullableDisabledReason(
    'Reason: a member disabled it, it answered 410, it failed for five days, or an operator disabled it',
  )
  readonly disabledWhy!: DisabledReason | null;
  @ApiProperty({ type: Boolean, description: 'Whether its last response was slow, or none has come yet' })
  readonly isSlow!: boolean;
  @ApiProperty({ ...COUNT, description: 'Age of the oldest entry that was not sent; 0: none', example: 2 })
  readonly lagSeconds!: number;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
}

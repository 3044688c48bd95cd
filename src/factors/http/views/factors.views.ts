import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { COUNT } from '../../../http/validation/count-schema';

/** An authenticator app in use. */
export class TotpFactorView {
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
}

/** The planned reset of a second factor. */
export class PlannedResetView {
  @ApiProperty({ type: String, format: 'date-time' }) readonly requestedAt!: Date;
  @ApiProperty({ type: String, format: 'date-time', description: 'Earliest time of the reset' })
  readonly dueAt!: Date;
}

/** The second factors of the current user. */
@ApiExtraModels(PlannedResetView, TotpFactorView)
export class FactorsView {
  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(TotpFactorView) }, { type: 'null' }],
    description: 'The authenticator app; null if none is used',
  })
  readonly totp!: TotpFactorView | null;
  @ApiProperty({ ...COUNT, description: 'Unused recovery codes' }) readonly recoveryCodesLeft!: number;
  @ApiProperty({ type: Boolean, description: 'Whether the admin access of the account needs a second factor' })
  readonly isRequired!: boolean;
  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(PlannedResetView) }, { type: 'null' }],
    description: 'A reset that operators have planned; null if there is none',
  })
  readonly reset!: PlannedResetView | null;
}

/** The secret of a new authenticator app. It is shown only once. */
export class TotpEnrolmentView {
  @ApiProperty({
    type: String,
    description: 'The content of the QR code',
    example: 'otpauth://totp/Tenantry:ada%40example.com?secret=GEZDGNBVGY3TQOJQ&issuer=Tenantry',
  })
  readonly otpauthUri!: string;
  @ApiProperty({ type: String, description: 'The secret to type in', example: 'GEZDGNBVGY3TQOJQ' })
  readonly secret!: string;
}

/** New recovery codes. They are shown only once. */
export class RecoveryCodesView {
  @ApiProperty({ type: [String], example: ['8N5T-XK0C-41RM-ZQ7H-0VBD-92PA'] })
  readonly recoveryCodes!: readonly string[];
}

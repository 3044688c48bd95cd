import { ApiProperty } from '@nestjs/swagger';
import { NullableTime } from '../../../http/validation/nullable.decorators';
import type { CreationOptions, RequestOptions } from '../../domain/passkey-options';

/** A passkey of the current user. */
export class PasskeyView {
  @ApiProperty({ type: String, description: 'The credential id', example: 'k3Yp0c1vQm2uXo7sT9aLbA' })
  readonly id!: string;
  @ApiProperty({ type: String, example: 'MacBook' }) readonly name!: string;
  @ApiProperty({ type: Boolean, description: 'Whether the passkey is backed up, for example in a cloud account' })
  readonly isBackedUp!: boolean;
  @ApiProperty({ type: String, format: 'date-time' }) readonly createdAt!: Date;
  @NullableTime('Time of the last use; null if it was never used') readonly lastUsedAt!: Date | null;
}

/** What a browser needs to create or to use a passkey. */
export class PasskeyOptionsView {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The options of WebAuthn as JSON; pass them to the browser as they are',
    example: { challenge: 'zF0pQmW8vX1sR5tY7uK9aB2cD4eG6hJ8kL0nP3qS5tU', rpId: 'example.com' },
  })
  readonly options!: CreationOptions | RequestOptions;
}

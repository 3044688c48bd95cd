import { ApiProperty } from '@nestjs/swagger';
import { field } from '../../http/validation/typed-decorators';
import { DISABLED_REASONS, type DisabledReason } from '../domain/signed-receiver';

/** Why a receiver gets nothing; null if it does. */
export const NullableDisabledReason = (description: string) =>
  field<DisabledReason | null>(
    ApiProperty({
      anyOf: [{ enum: [...DISABLED_REASONS], type: 'string' }, { type: 'null' }],
      description,
      example: 'failing',
    }),
  );

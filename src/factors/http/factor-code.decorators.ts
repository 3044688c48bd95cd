import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Matches } from 'class-validator';
import { optional } from '../../http/validation/optional.decorators';
import { field } from '../../http/validation/typed-decorators';

/** A code of 6 digits; spaces do not matter, because apps show them. */
export const DigitCodeField = () =>
  field<string>(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.replace(/\s/g, '') : value)),
    Matches(/^[0-9]{6}$/, { message: 'must be 6 digits' }),
    ApiProperty({ type: String, pattern: '^[0-9]{6}$', example: '287082' }),
  );

/** The same, optional. Null is refused. */
export const OptionalDigitCodeField = (description?: string) => optional(DigitCodeField(), description);

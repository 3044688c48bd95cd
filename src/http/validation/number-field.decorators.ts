import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsNumber, Max, Min } from 'class-validator';
import { MAX_INTEGER } from './count-schema';
import { optional } from './optional.decorators';
import { field } from './typed-decorators';

/** A whole number that fits into a column of the type `integer`. */
export const IntegerField = (minimum = -MAX_INTEGER, maximum = MAX_INTEGER, example = 42) =>
  field<number>(
    Max(maximum, { message: `must be at most ${maximum}` }),
    Min(minimum, { message: `must be at least ${minimum}` }),
    IsInt({ message: 'must be a whole number' }), // checked first: decorators apply bottom-up
    ApiProperty({ type: 'integer', minimum, maximum, example }),
  );

/** The same, optional: an absent field changes nothing. Null is refused. */
export const OptionalIntegerField = (minimum?: number, maximum?: number, example?: number) =>
  optional(IntegerField(minimum, maximum, example));

/** A number, which is stored in a column of the type `double precision`. Not for money. */
export const NumberField = (example = 1.5) =>
  field<number>(IsNumber({}, { message: 'must be a number' }), ApiProperty({ type: 'number', example }));

/** The same, optional: an absent field changes nothing. Null is refused. */
export const OptionalNumberField = (example?: number) => optional(NumberField(example));

import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean } from 'class-validator';
import { IfGiven } from './optional.decorators';
import { field } from './typed-decorators';

/** An optional boolean in a body. Null is refused. */
export const OptionalFlag = () =>
  field<boolean | undefined>(
    IfGiven(),
    IsBoolean({ message: 'must be true or false' }),
    ApiPropertyOptional({ type: Boolean }),
  );

/** An optional boolean in a query string. */
export const OptionalFlagParameter = () =>
  field<boolean | undefined>(
    Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value)),
    OptionalFlag(),
  );

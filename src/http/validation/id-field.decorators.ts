import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsUUID } from 'class-validator';
import { NullAsAbsent } from './optional.decorators';
import { field } from './typed-decorators';

/** Ids are compared and stored in lower case, as PostgreSQL returns them. */
const LowerCase = () =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value));

/** A UUID. */
export const IdField = () =>
  field<string>(
    LowerCase(),
    IsUUID('all', { message: 'must be a UUID' }),
    ApiProperty({ type: String, format: 'uuid' }),
  );

/** An optional UUID. Null counts as absent. */
export const OptionalIdField = (description?: string) =>
  field<string | undefined>(NullAsAbsent(), IdField(), ApiPropertyOptional({ description }));

import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, ValidateIf } from 'class-validator';
import { field, type FieldDecorator } from './typed-decorators';

/** Validates the property only if it is present. Null is present. */
export const IfGiven = () => ValidateIf((_, value) => value !== undefined);

/** The same, but null counts as absent and becomes undefined. */
export const NullAsAbsent = () =>
  field<unknown>(
    Transform(({ value }: { value: unknown }) => value ?? undefined),
    IsOptional(),
  );

/** The same field, which may be absent. Null is refused. */
export const optional = <T>(decorate: FieldDecorator<T>, description?: string) =>
  field<T | undefined>(IfGiven(), decorate, ApiPropertyOptional({ description }));

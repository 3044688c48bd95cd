import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, ValidateIf } from 'class-validator';
import { field, type FieldDecorator } from './typed-decorators';

/** The metadata of @nestjs/swagger about a property; the package does not export this key. */
export const API_PROPERTY = 'swagger/apiModelProperties';

/** What the API document says of a property, with the rules of its value. */
interface Described {
  readonly type: unknown;
  readonly example?: unknown;
  readonly required?: boolean;
}

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

/**
 * The same field, which may be absent or null: for a value that can be unknown. An absent field
 * changes nothing, null removes the value.
 */
export const NullableField = <T>(decorate: FieldDecorator<T>) =>
  field<T | null | undefined>(
    ValidateIf((_, value) => value !== undefined && value !== null),
    decorate,
    describeAsNullable,
  );

/** Describes a property as what its other decorators say, or null. */
function describeAsNullable(target: object, key: string): void {
  const described = Reflect.getMetadata(API_PROPERTY, target, key) as Described;
  const { type, example, ...rules } = described;
  const own = { ...rules, type: type === String ? 'string' : type, required: undefined, isArray: undefined };
  const nullable = { type: Object, required: false, example, anyOf: [own, { type: 'null' }] };
  Reflect.defineMetadata(API_PROPERTY, nullable, target, key);
}

import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsDate,
  IsIn,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Matches,
  MaxLength,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { canonicalEmail } from '../../config/email-address';
import { ALL_PERMISSIONS } from '../../platform/permissions';
import { EachItem } from './each-item.decorator';
import { problemOfName } from './name-rules';

/** The fields of request bodies: their validation and their description in the API document. */

const NO_CONTROL_CHARACTERS = /^[^\p{Cc}\p{Cs}]*$/u;
const SECRET_MAX_LENGTH = 200;
/** ISO 8601 with an offset. The year has four digits, so that the time fits into an id. */
const MOMENT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

const trimmed = (change: (text: string) => string = (text) => text) =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? change(value.trim()) : value));

/** Ids are compared and stored in lower case, as PostgreSQL returns them. */
const lowerCased = () =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value));

/** Optional: the field may be absent, but not null. */
export const ifGiven = () => ValidateIf((_, value) => value !== undefined);

/** An email address in canonical form. */
export const EmailField = () =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (canonicalEmail(value) ?? value) : value,
    ),
    ValidateBy(
      {
        name: 'isEmailAddress',
        validator: { validate: (value) => typeof value === 'string' && canonicalEmail(value) === value },
      },
      { message: 'must be an email address' },
    ),
    ApiProperty({ type: String, format: 'email', maxLength: 254, example: 'ada@example.com' }),
  );

/** One line of text, trimmed. */
export const TextField = (min: number, max: number, example: string) =>
  applyDecorators(
    trimmed(),
    IsString({ message: 'must be a text' }),
    Length(min, max, { message: `must be ${min} to ${max} characters long` }),
    Matches(NO_CONTROL_CHARACTERS, { message: 'must not contain control characters' }),
    ApiProperty({ type: String, minLength: min, maxLength: max, example }),
  );

/** The name of a user, tenant, role or project, which others read. */
export const NameField = (max: number, example: string) =>
  applyDecorators(
    trimmed((text) => text.normalize('NFC')), // what looks the same is the same
    TextField(1, max, example),
    ValidateBy({
      name: 'isName',
      validator: {
        validate: (value) => typeof value === 'string' && problemOfName(value) === undefined,
        defaultMessage: (given) => problemOfName(String(given?.value)) ?? '',
      },
    }),
  );

/** The same, optional: an absent field changes nothing. */
export const OptionalNameField = (max: number, example: string) =>
  applyDecorators(ifGiven(), NameField(max, example), ApiPropertyOptional());

/** The same, optional: an absent field changes nothing. Null is refused. */
export const OptionalTextField = (min: number, max: number, example: string) =>
  applyDecorators(ifGiven(), TextField(min, max, example), ApiPropertyOptional());

/** An optional boolean. */
export const OptionalFlag = () =>
  applyDecorators(ifGiven(), IsBoolean({ message: 'must be true or false' }), ApiPropertyOptional({ type: Boolean }));

/** An optional boolean in a query string. */
export const OptionalFlagParameter = () =>
  applyDecorators(
    ifGiven(),
    Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value)),
    IsBoolean({ message: 'must be true or false' }),
    ApiPropertyOptional({ type: Boolean }),
  );

/** A search text in a query string; blank counts as absent. */
export const SearchParameter = (description: string) =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() || undefined : value)),
    ifGiven(),
    IsString({ message: 'must be a text' }),
    MaxLength(100, { message: 'must not be longer than 100 characters' }),
    Matches(NO_CONTROL_CHARACTERS, { message: 'must not contain control characters' }),
    ApiPropertyOptional({ type: String, maxLength: 100, description }),
  );

/** One of a fixed set of values. */
export const ChoiceField = (choices: readonly string[]) =>
  applyDecorators(IsIn(choices, { message: `must be one of ${choices.join(', ')}` }), ApiProperty({ enum: choices }));

/** The same, optional. */
export const OptionalChoiceField = (choices: readonly string[]) =>
  applyDecorators(ifGiven(), ChoiceField(choices), ApiPropertyOptional());

/** An optional query parameter with a fixed set of values. */
export const OptionalChoiceParameter = (choices: readonly string[]) =>
  applyDecorators(
    ifGiven(),
    IsIn(choices, { message: `must be one of ${choices.join(', ')}` }),
    ApiPropertyOptional({ enum: choices }),
  );

/** Undefined for an invalid date or one before 1970, where the times of ids begin. */
function momentOf(value: unknown): Date | undefined {
  const day = typeof value === 'string' ? MOMENT.exec(value)?.[1] : undefined;
  if (!day || Number.isNaN(Date.parse(day)) || new Date(day).toISOString().slice(0, 10) !== day) return undefined;
  const moment = new Date(value as string);
  return moment.getTime() >= 0 ? moment : undefined;
}

/** An optional time in a query string, as ISO 8601 with an offset. */
export const OptionalMomentParameter = (description: string) =>
  applyDecorators(
    ifGiven(),
    Transform(({ value }: { value: unknown }) => momentOf(value) ?? value),
    IsDate({ message: 'must be a moment as 2026-01-31T23:59:59Z' }),
    ApiPropertyOptional({ type: String, format: 'date-time', description }),
  );

/** A current password, exactly as typed. */
export const PasswordField = () =>
  applyDecorators(
    IsString({ message: 'must be a text' }),
    Length(1, SECRET_MAX_LENGTH, { message: `must be 1 to ${SECRET_MAX_LENGTH} characters long` }),
    ApiProperty({
      type: String,
      format: 'password',
      minLength: 1,
      maxLength: SECRET_MAX_LENGTH,
      example: 'correct horse battery',
    }),
  );

/** A secret from an email or an earlier response. */
export const TokenField = () =>
  applyDecorators(
    IsString({ message: 'must be a text' }),
    Length(1, SECRET_MAX_LENGTH, { message: `must be 1 to ${SECRET_MAX_LENGTH} characters long` }),
    ApiProperty({ type: String, minLength: 1, maxLength: SECRET_MAX_LENGTH }),
  );

/** A UUID. */
export const IdField = () =>
  applyDecorators(
    lowerCased(),
    IsUUID('all', { message: 'must be a UUID' }),
    ApiProperty({ type: String, format: 'uuid' }),
  );

/** An optional UUID. */
export const OptionalIdField = (description?: string) =>
  applyDecorators(
    IsOptional(),
    lowerCased(),
    IsUUID('all', { message: 'must be a UUID' }),
    ApiPropertyOptional({ type: String, format: 'uuid', description }),
  );

/** At least one permission of the catalogue. */
export const PermissionsField = () =>
  applyDecorators(
    IsArray({ message: 'must be a list' }),
    ArrayNotEmpty({ message: 'must name at least one permission' }),
    EachItem(
      (item) => ALL_PERMISSIONS.some((permission) => permission === item),
      'must be a permission out of GET /tenants/current/permissions',
    ),
    ApiProperty({ enum: ALL_PERMISSIONS, isArray: true, minItems: 1 }),
  );

/**
 * An optional refresh token: the cookie can replace it. A token of any length is merely unknown.
 */
export const OptionalTokenField = () =>
  applyDecorators(IsOptional(), IsString({ message: 'must be a text' }), ApiPropertyOptional({ type: String }));

/** A text in a view that may be null. */
export const NullableText = ({ format, description }: { format?: string; description?: string } = {}) =>
  ApiProperty({ description, anyOf: [{ type: 'string', format }, { type: 'null' }] });

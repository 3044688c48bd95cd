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

/**
 * The kinds of fields that bodies are made of: what is accepted and what the API document says of
 * it, together.
 */

const NO_CONTROL_CHARACTERS = /^[^\p{Cc}\p{Cs}]*$/u;
const SECRET_MAX_LENGTH = 200;
/** ISO 8601 with an offset; years of four digits, so that each has a place in an id. */
const MOMENT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

const trimmed = (change: (text: string) => string = (text) => text) =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? change(value.trim()) : value));

/** Ids are compared and stored as PostgreSQL gives them. */
const lowerCased = () =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value));

/** Leaving it out is fine; null is not leaving out. */
export const ifGiven = () => ValidateIf((_, value) => value !== undefined);

/** An email address, in the one form in which it is stored and compared. */
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

/** Text that a person typed on one line, trimmed. */
export const TextField = (min: number, max: number, example: string) =>
  applyDecorators(
    trimmed(),
    IsString({ message: 'must be a text' }),
    Length(min, max, { message: `must be ${min} to ${max} characters long` }),
    Matches(NO_CONTROL_CHARACTERS, { message: 'must not contain control characters' }),
    ApiProperty({ type: String, minLength: min, maxLength: max, example }),
  );

/** What a person calls themselves, a tenant, a role or a project: others read it. */
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

/** The same where it may be left out, to leave what is there. */
export const OptionalNameField = (max: number, example: string) =>
  applyDecorators(ifGiven(), NameField(max, example), ApiPropertyOptional());

/** The same where it may be left out, to leave what is there. Null is not leaving out. */
export const OptionalTextField = (min: number, max: number, example: string) =>
  applyDecorators(ifGiven(), TextField(min, max, example), ApiPropertyOptional());

/** A yes or no that may be left out. */
export const OptionalFlag = () =>
  applyDecorators(ifGiven(), IsBoolean({ message: 'must be true or false' }), ApiPropertyOptional({ type: Boolean }));

/** The same in an address, where it is text. */
export const OptionalFlagParameter = () =>
  applyDecorators(
    ifGiven(),
    Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value)),
    IsBoolean({ message: 'must be true or false' }),
    ApiPropertyOptional({ type: Boolean }),
  );

/** What is looked for in a list; blank is nothing. */
export const SearchParameter = (description: string) =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() || undefined : value)),
    ifGiven(),
    IsString({ message: 'must be a text' }),
    MaxLength(100, { message: 'must not be longer than 100 characters' }),
    Matches(NO_CONTROL_CHARACTERS, { message: 'must not contain control characters' }),
    ApiPropertyOptional({ type: String, maxLength: 100, description }),
  );

/** One of a few words. */
export const ChoiceField = (choices: readonly string[]) =>
  applyDecorators(IsIn(choices, { message: `must be one of ${choices.join(', ')}` }), ApiProperty({ enum: choices }));

/** The same where it may be left out. */
export const OptionalChoiceField = (choices: readonly string[]) =>
  applyDecorators(ifGiven(), ChoiceField(choices), ApiPropertyOptional());

/** One of a few words, in an address; it may be left out. */
export const OptionalChoiceParameter = (choices: readonly string[]) =>
  applyDecorators(
    ifGiven(),
    IsIn(choices, { message: `must be one of ${choices.join(', ')}` }),
    ApiPropertyOptional({ enum: choices }),
  );

/**
 * Undefined for what is none: a day that no month has, or before 1970, where ids begin to count.
 */
function momentOf(value: unknown): Date | undefined {
  const day = typeof value === 'string' ? MOMENT.exec(value)?.[1] : undefined;
  if (!day || Number.isNaN(Date.parse(day)) || new Date(day).toISOString().slice(0, 10) !== day) return undefined;
  const moment = new Date(value as string);
  return moment.getTime() >= 0 ? moment : undefined;
}

/** A moment in an address, as ISO 8601 with its offset; it may be left out. */
export const OptionalMomentParameter = (description: string) =>
  applyDecorators(
    ifGiven(),
    Transform(({ value }: { value: unknown }) => momentOf(value) ?? value),
    IsDate({ message: 'must be a moment as 2026-01-31T23:59:59Z' }),
    ApiPropertyOptional({ type: String, format: 'date-time', description }),
  );

/** A password that is being presented, exactly as typed. */
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

/** A secret that was sent by mail or handed out before. */
export const TokenField = () =>
  applyDecorators(
    IsString({ message: 'must be a text' }),
    Length(1, SECRET_MAX_LENGTH, { message: `must be 1 to ${SECRET_MAX_LENGTH} characters long` }),
    ApiProperty({ type: String, minLength: 1, maxLength: SECRET_MAX_LENGTH }),
  );

/** An id of something. */
export const IdField = () =>
  applyDecorators(
    lowerCased(),
    IsUUID('all', { message: 'must be a UUID' }),
    ApiProperty({ type: String, format: 'uuid' }),
  );

/** An id that may be left out. */
export const OptionalIdField = (description?: string) =>
  applyDecorators(
    IsOptional(),
    lowerCased(),
    IsUUID('all', { message: 'must be a UUID' }),
    ApiPropertyOptional({ type: String, format: 'uuid', description }),
  );

/** At least one permission, each out of the catalogue. */
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
 * A refresh token that may be left out: the cookie can stand in for it. One of any length is merely
 * not known.
 */
export const OptionalTokenField = () =>
  applyDecorators(IsOptional(), IsString({ message: 'must be a text' }), ApiPropertyOptional({ type: String }));

/** A text of a view that may be null. */
export const NullableText = ({ format, description }: { format?: string; description?: string } = {}) =>
  ApiProperty({ description, anyOf: [{ type: 'string', format }, { type: 'null' }] });

import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsEmail, IsOptional, IsString, Length, Matches, MaxLength } from 'class-validator';

/** The kinds of fields that bodies are made of: what is accepted and what the API document says of it, together. */

const NO_CONTROL_CHARACTERS = /^[^\p{Cc}\p{Cs}]*$/u;
const SECRET_MAX_LENGTH = 200;

const trimmed = (change: (text: string) => string = (text) => text) =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? change(value.trim()) : value));

/** An email address, trimmed and lower-cased. */
export const EmailField = () =>
  applyDecorators(
    trimmed((text) => text.toLowerCase()),
    IsEmail({}, { message: 'must be an email address' }),
    MaxLength(254, { message: 'must not be longer than 254 characters' }),
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

/** A password that is being presented, exactly as typed; the rules for a new one are the domain's. */
export const PasswordField = () =>
  applyDecorators(
    IsString({ message: 'must be a text' }),
    Length(1, SECRET_MAX_LENGTH, { message: `must be 1 to ${SECRET_MAX_LENGTH} characters long` }),
    ApiProperty({ type: String, format: 'password', minLength: 1, maxLength: SECRET_MAX_LENGTH, example: 'correct horse battery' }),
  );

/** A secret that was sent by mail or handed out before. */
export const TokenField = () =>
  applyDecorators(
    IsString({ message: 'must be a text' }),
    Length(1, SECRET_MAX_LENGTH, { message: `must be 1 to ${SECRET_MAX_LENGTH} characters long` }),
    ApiProperty({ type: String, minLength: 1, maxLength: SECRET_MAX_LENGTH }),
  );

/** A refresh token that may be left out: the cookie can stand in for it. One of any length is merely not known. */
export const OptionalTokenField = () => applyDecorators(IsOptional(), IsString({ message: 'must be a text' }), ApiPropertyOptional({ type: String }));

/** A text of a view that may be null. */
export const NullableText = ({ format, description }: { format?: string; description?: string } = {}) =>
  ApiProperty({ description, anyOf: [{ type: 'string', format }, { type: 'null' }] });

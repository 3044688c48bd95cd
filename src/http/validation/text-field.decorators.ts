import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsString, Length, Matches, MaxLength, ValidateBy } from 'class-validator';
import { canonicalEmail } from '../../config/email-address';
import { problemOfName } from './name-rules';
import { IfGiven, optional } from './optional.decorators';
import { field } from './typed-decorators';

const NO_CONTROL_CHARACTERS = /^[^\p{Cc}\p{Cs}]*$/u;

const changed = (change: (text: string) => string | undefined) =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? change(value) : value));

/** One line of text, trimmed. */
export const TextField = (min: number, max: number, example: string) =>
  field<string>(
    changed((text) => text.trim()),
    IsString({ message: 'must be a string' }),
    Length(min, max, { message: `must be ${min} to ${max} characters long` }),
    Matches(NO_CONTROL_CHARACTERS, { message: 'must not contain control characters' }),
    ApiProperty({ type: String, minLength: min, maxLength: max, example }),
  );

/** The same, optional: an absent field changes nothing. Null is refused. */
export const OptionalTextField = (min: number, max: number, example: string) => optional(TextField(min, max, example));

/** The name of a user, tenant, role or project, which others read. */
export const NameField = (max: number, example: string) =>
  field<string>(
    changed((text) => text.trim().normalize('NFC')), // names that look the same are equal
    TextField(1, max, example),
    ValidateBy({
      name: 'isName',
      validator: {
        validate: (value) => typeof value === 'string' && problemOfName(value) === undefined,
        defaultMessage: (given) => problemOfName(String(given?.value)) ?? '',
      },
    }),
  );

/** The same, optional: an absent field changes nothing. Null is refused. */
export const OptionalNameField = (max: number, example: string) => optional(NameField(max, example));

/** An email address in canonical form. */
export const EmailField = () =>
  field<string>(
    changed((text) => canonicalEmail(text) ?? text),
    ValidateBy(
      {
        name: 'isEmailAddress',
        validator: { validate: (value) => typeof value === 'string' && canonicalEmail(value) === value },
      },
      { message: 'must be an email address' },
    ),
    ApiProperty({ type: String, format: 'email', maxLength: 254, example: 'ada@example.com' }),
  );

/** A search text in a query string; blank counts as absent. */
export const SearchParameter = (description: string) =>
  field<string | undefined>(
    changed((text) => text.trim() || undefined),
    IfGiven(),
    IsString({ message: 'must be a string' }),
    MaxLength(100, { message: 'must not be longer than 100 characters' }),
    Matches(NO_CONTROL_CHARACTERS, { message: 'must not contain control characters' }),
    ApiPropertyOptional({ type: String, maxLength: 100, description }),
  );

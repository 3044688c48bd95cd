import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsString, Length, Matches, MaxLength, ValidateBy } from 'class-validator';
import { canonicalEmail } from '../../config/email-address';
import { problemOfLabel, problemOfName, problemOfText, tidyText } from '../../platform/text/typed-text';
import { withoutInvisible } from '../../platform/text/invisible-characters';
import { IfGiven, optional } from './optional.decorators';
import { field } from './typed-decorators';

const NO_CONTROL_CHARACTERS = /^[^\p{Cc}\p{Cs}]*$/u;

const changed = (change: (text: string) => string | undefined) =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? change(value) : value));

/** One line of text in the form in which it is stored, which `problemOf` accepts. */
const textField = (min: number, max: number, example: string, problemOf: (text: string) => string | undefined) =>
  field<string>(
    changed(tidyText),
    IsString({ message: 'must be a string' }),
    Length(min, max, { message: `must be ${min} to ${max} characters long` }),
    Matches(NO_CONTROL_CHARACTERS, { message: 'must not contain control characters' }),
    ValidateBy({
      name: 'isAcceptableText',
      validator: {
        // of a longer text, the length is reported
        validate: (value) => typeof value === 'string' && problemOf(value.slice(0, 4 * max)) === undefined,
        defaultMessage: (given) => problemOf(String(given?.value).slice(0, 4 * max)) ?? '',
      },
    }),
    ApiProperty({ type: String, minLength: min, maxLength: max, example }),
  );

/** One line of text, such as a reason or a description. */
export const TextField = (min: number, max: number, example: string) => textField(min, max, example, problemOfText);

/** The same, optional: an absent field changes nothing. Null is refused. */
export const OptionalTextField = (min: number, max: number, example: string) => optional(TextField(min, max, example));

/** The name of a person, tenant or role, which emails to others contain. */
export const NameField = (max: number, example: string) => textField(1, max, example, problemOfName);

/** The same, optional: an absent field changes nothing. Null is refused. */
export const OptionalNameField = (max: number, example: string) => optional(NameField(max, example));

/** The name of a thing that its tenant or its owner sees, such as a project or a key. */
export const LabelField = (max: number, example: string) => textField(1, max, example, problemOfLabel);

/** The same, optional: an absent field changes nothing. Null is refused. */
export const OptionalLabelField = (max: number, example: string) => optional(LabelField(max, example));

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

/**
 * A search text in a query string, in the form in which names are stored; blank counts as absent.
 */
export const SearchParameter = (description: string) =>
  field<string | undefined>(
    changed((text) => tidyText(withoutInvisible(text)) || undefined),
    IfGiven(),
    IsString({ message: 'must be a string' }),
    MaxLength(100, { message: 'must not be longer than 100 characters' }),
    Matches(NO_CONTROL_CHARACTERS, { message: 'must not contain control characters' }),
    ApiPropertyOptional({ type: String, maxLength: 100, description }),
  );

import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { MaxLength, ValidateBy } from 'class-validator';
import { field } from '../../http/validation/typed-decorators';

/** @param isValid whether a text has the form; it may throw */
const Form = (name: string, message: string, isValid: (text: string) => unknown) =>
  ValidateBy(
    { name, validator: { validate: (value) => typeof value === 'string' && holds(isValid, value) } },
    { message },
  );

function holds(isValid: (text: string) => unknown, text: string): boolean {
  try {
    return Boolean(isValid(text));
  } catch {
    return false;
  }
}

const canonicalLanguage = (text: string): string | undefined => Intl.getCanonicalLocales(text)[0];

/** A language tag (BCP 47), stored in its canonical form: `en-GB` for `en-gb`. */
export const LanguageField = () =>
  field<string>(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && holds(canonicalLanguage, value) ? canonicalLanguage(value) : value,
    ),
    Form('isLanguage', 'must be a language tag such as en-GB', canonicalLanguage),
    MaxLength(35, { message: 'must not be longer than 35 characters' }), // RFC 5646, section 4.4.1
    ApiProperty({ type: String, maxLength: 35, example: 'en-GB' }),
  );

/** Offsets such as +01:00, which the runtime also accepts, know no summer time. */
const ZONE_NAME = /^[A-Za-z]/;

/** The name of a time zone in the IANA database. */
export const TimeZoneField = () =>
  field<string>(
    Form(
      'isTimeZone',
      'must be the name of a time zone such as Europe/Berlin',
      (text) => ZONE_NAME.test(text) && new Intl.DateTimeFormat('en', { timeZone: text }),
    ),
    MaxLength(64, { message: 'must not be longer than 64 characters' }),
    ApiProperty({ type: String, maxLength: 64, example: 'Europe/Berlin' }),
  );

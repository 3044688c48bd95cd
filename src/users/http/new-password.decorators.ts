import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, ValidateBy, type ValidationArguments } from 'class-validator';
import { ifGiven } from '../../http/validation/field.decorators';
import { problemOfPassword } from '../domain/password-rules';

/**
 * A new password. What can be said of it without its account is said together with all that is
 * wrong with the other fields; where the body holds the address too (`email`), it is held against
 * that.
 */
export const NewPasswordField = () =>
  applyDecorators(
    IsString({ message: 'must be a text' }),
    ValidateBy({
      name: 'isNewPassword',
      validator: {
        validate: (value, given) => problemIn(value, given) === undefined,
        defaultMessage: (given) => problemIn(given?.value, given) ?? '',
      },
    }),
    ApiProperty({ type: String, format: 'password', minLength: 8, maxLength: 128, example: 'correct horse battery' }),
  );

/** The same where it may be left out. */
export const OptionalNewPasswordField = (description: string) =>
  applyDecorators(ifGiven(), NewPasswordField(), ApiPropertyOptional({ description }));

function problemIn(value: unknown, given: ValidationArguments | undefined): string | undefined {
  const { email } = (given?.object ?? {}) as { email?: unknown };
  return problemOfPassword(String(value), typeof email === 'string' ? email : undefined);
}

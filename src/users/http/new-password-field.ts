import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, ValidateBy, type ValidationArguments } from 'class-validator';
import { problemOfPassword } from '../domain/password-rules';

/**
 * A new password. What can be said of it without its account is said together with all that is wrong with the other fields; where the body holds the
 * address too (`email`), it is held against that.
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

function problemIn(value: unknown, given: ValidationArguments | undefined): string | undefined {
  const { email } = (given?.object ?? {}) as { email?: unknown };
  return problemOfPassword(String(value), typeof email === 'string' ? email : undefined);
}

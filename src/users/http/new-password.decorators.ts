import { ApiProperty } from '@nestjs/swagger';
import { IsString, ValidateBy, type ValidationArguments } from 'class-validator';
import { optional } from '../../http/validation/optional.decorators';
import { field } from '../../http/validation/typed-decorators';
import { findPasswordProblem } from '../domain/password-rules';

/**
 * A new password. The rules that need no account are reported together with the errors of the other
 * fields. If the body also has an `email` or a `name`, the password is compared with them.
 */
export const NewPasswordField = () =>
  field<string>(
    IsString({ message: 'must be a string' }),
    ValidateBy({
      name: 'isNewPassword',
      validator: {
        validate: (value, given) => findProblem(value, given) === undefined,
        defaultMessage: (given) => findProblem(given?.value, given) ?? '',
      },
    }),
    ApiProperty({ type: String, format: 'password', minLength: 8, maxLength: 128, example: 'correct horse battery' }),
  );

/** An optional new password. */
export const OptionalNewPasswordField = (description: string) => optional(NewPasswordField(), description);

function findProblem(value: unknown, given: ValidationArguments | undefined): string | undefined {
  const { email, name } = (given?.object ?? {}) as { email?: unknown; name?: unknown };
  const textOf = (field: unknown) => (typeof field === 'string' ? field : undefined);
  return findPasswordProblem(String(value), { email: textOf(email), name: textOf(name) });
}

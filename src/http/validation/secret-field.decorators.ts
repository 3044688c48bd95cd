import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { NullAsAbsent } from './optional.decorators';
import { field } from './typed-decorators';

const MAX_LENGTH = 200;

const secret = () => [
  IsString({ message: 'must be a string' }),
  Length(1, MAX_LENGTH, { message: `must be 1 to ${MAX_LENGTH} characters long` }),
];
const LENGTHS = { minLength: 1, maxLength: MAX_LENGTH };

/** A current password, exactly as typed. */
export const PasswordField = () =>
  field<string>(
    ...secret(),
    ApiProperty({ type: String, format: 'password', ...LENGTHS, example: 'correct horse battery' }),
  );

/** A secret from an email or an earlier response. */
export const TokenField = () => field<string>(...secret(), ApiProperty({ type: String, ...LENGTHS }));

/**
 * An optional refresh token: the cookie can replace it, and null counts as absent. A token of any
 * length is merely unknown.
 */
export const OptionalTokenField = () =>
  field<string | undefined>(
    NullAsAbsent(),
    IsString({ message: 'must be a string' }),
    ApiPropertyOptional({ type: String }),
  );

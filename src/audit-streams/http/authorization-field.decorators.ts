import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length, Matches } from 'class-validator';
import { field } from '../../http/validation/typed-decorators';

const MOST = 2000;

/** A value of the header Authorization: visible ASCII characters and single spaces in between. */
export const AuthorizationField = () =>
  field<string>(
    IsString({ message: 'must be a string' }),
    Length(1, MOST, { message: `must be 1 to ${MOST} characters long` }),
    Matches(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, { message: 'must be visible ASCII characters with single spaces' }),
    ApiProperty({ type: String, minLength: 1, maxLength: MOST, example: 'Bearer 7f3c9a' }),
  );

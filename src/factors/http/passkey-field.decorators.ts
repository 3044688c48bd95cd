import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, IsString, Length, Matches, ValidateNested } from 'class-validator';
import { EachItem } from '../../http/validation/each-item.decorator';
import { NullAsAbsent } from '../../http/validation/optional.decorators';
import { field } from '../../http/validation/typed-decorators';

/** Characters of a credential id: 16 to 1023 bytes (WebAuthn Level 3, section 4). */
export const CREDENTIAL_ID = { min: 22, max: 1364 } as const;
const URL_SAFE = /^[\w-]+$/;
const MAX_TRANSPORTS = 10;

/** Bytes in URL-safe base64 without padding. */
export const BytesField = (min: number, max: number, example = 'q7Zk1vXw0p5T') =>
  field<string>(
    Matches(URL_SAFE, { message: 'must be URL-safe base64 without padding' }),
    Length(min, max, { message: `must be ${min} to ${max} characters long` }),
    IsString({ message: 'must be a string' }), // checked first: decorators apply bottom-up
    ApiProperty({ type: String, example }),
  );

/** The same, optional. Null counts as absent, because browsers send it. */
export const OptionalBytesField = (min: number, max: number) =>
  field<string | undefined>(NullAsAbsent(), BytesField(min, max), ApiPropertyOptional());

/** The credential id of a passkey. */
export const CredentialIdField = () => BytesField(CREDENTIAL_ID.min, CREDENTIAL_ID.max, 'k3Yp0c1vQm2uXo7sT9aLbA');

/** How a browser reaches an authenticator. Unknown ways are allowed, because there will be more. */
export const TransportsField = () =>
  field<string[]>(
    EachItem((item) => typeof item === 'string' && /^[a-z-]{1,30}$/.test(item), 'must be a transport of WebAuthn'),
    ArrayMaxSize(MAX_TRANSPORTS, { message: `must contain at most ${MAX_TRANSPORTS} items` }),
    IsArray({ message: 'must be a list' }),
    ApiProperty({ type: [String], maxItems: MAX_TRANSPORTS, example: ['internal'] }),
  );

/** An object with fields of its own. */
export const ObjectField = <T>(type: new () => T, description?: string) =>
  field<T>(
    ValidateNested(),
    IsObject({ message: 'must be an object' }),
    Type(() => type),
    ApiProperty({ type: type as new () => object, description }),
  );

import { ApiProperty } from '@nestjs/swagger';
import { COUNT } from './count-schema';
import { field } from './typed-decorators';

interface Options {
  readonly format?: string;
  readonly description?: string;
}

const nullable = ({ format, description }: Options) =>
  ApiProperty({ description, anyOf: [{ type: 'string', format }, { type: 'null' }] });

/** A text in a view that may be null. */
export const NullableText = (options: Options = {}) => field<string | null>(nullable(options));

/** A time in a view that may be null. */
export const NullableTime = (description?: string) =>
  field<Date | null>(nullable({ format: 'date-time', description }));

/** A count, duration or limit in a view that may be null. */
export const NullableInteger = (description?: string) =>
  field<number | null>(ApiProperty({ description, anyOf: [COUNT, { type: 'null' }] }));

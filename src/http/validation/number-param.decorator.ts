import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { invalid } from '../../platform/platform.failures';
import { FailureException } from '../responses/http-status';
import type { TypedParameterDecorator } from './typed-decorators';

/** As many digits as always fit into a bigint. */
export const NUMBER = /^\d{1,18}$/;

@Injectable()
class ParseNumber implements PipeTransform<string, string> {
  constructor(private readonly name: string) {}

  transform(value: string): string {
    if (!NUMBER.test(value)) throw new FailureException(invalid({ [this.name]: ['must be a whole number'] }));
    return value;
  }
}

/**
 * A path parameter that is a database sequence number, kept as text; anything else is a
 * VALIDATION_ERROR.
 */
export const NumberParam = (name: string): TypedParameterDecorator<string> => Param(name, new ParseNumber(name));

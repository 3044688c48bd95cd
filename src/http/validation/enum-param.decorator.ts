import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { invalid } from '../../platform/platform.failures';
import { FailureException } from '../responses/http-status';
import type { TypedParameterDecorator } from './typed-decorators';

@Injectable()
class ParseChoice implements PipeTransform<string, string> {
  constructor(
    private readonly name: string,
    private readonly choices: readonly string[],
  ) {}

  transform(value: string): string {
    if (this.choices.includes(value)) return value;
    throw new FailureException(invalid({ [this.name]: [`must be one of ${this.choices.join(', ')}`] }));
  }
}

/**
 * A path parameter with a fixed set of values, also in the API document; anything else is a
 * VALIDATION_ERROR.
 */
export const EnumParam =
  <C extends string>(name: string, choices: readonly C[]): TypedParameterDecorator<C> =>
  (controller, method, index) => {
    Param(name, new ParseChoice(name, choices))(controller, method, index);
    ApiParam({ name, enum: [...choices] })(controller, method, Object.getOwnPropertyDescriptor(controller, method)!);
  };

import { Injectable, Param, ParseUUIDPipe, type ArgumentMetadata } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { invalid } from '../../platform/platform.failures';
import { FailureException } from '../responses/http-status';
import type { TypedParameterDecorator } from './typed-decorators';

/** Accepts a UUID in any case and lower-cases it, as PostgreSQL returns it. */
@Injectable()
class ParseId extends ParseUUIDPipe {
  constructor(name: string) {
    super({ exceptionFactory: () => new FailureException(invalid({ [name]: ['must be a UUID'] })) });
  }

  override async transform(value: string, metadata: ArgumentMetadata): Promise<string> {
    return (await super.transform(value, metadata)).toLowerCase();
  }
}

/**
 * A path parameter that is a UUID, also in the API document; anything else is a VALIDATION_ERROR.
 */
export const IdParam =
  (name: string): TypedParameterDecorator<string> =>
  (controller, method, index) => {
    Param(name, new ParseId(name))(controller, method, index);
    ApiParam({ name, type: String, format: 'uuid' })(
      controller,
      method,
      Object.getOwnPropertyDescriptor(controller, method)!,
    );
  };

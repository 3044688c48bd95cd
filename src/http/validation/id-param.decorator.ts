import { Injectable, Param, ParseUUIDPipe, type ArgumentMetadata } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { invalid } from '../../platform/platform.failures';
import { FailureException } from '../responses/http-status';

/**
 * An id is one however it is written; it is compared and stored in lower case, as PostgreSQL gives
 * it.
 */
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
 * A path parameter that is an id, which the API document says too; anything else is a
 * VALIDATION_ERROR.
 */
export const IdParam =
  (name: string): ParameterDecorator =>
  (controller, method, index) => {
    Param(name, new ParseId(name))(controller, method, index);
    ApiParam({ name, type: String, format: 'uuid' })(
      controller,
      method!,
      Object.getOwnPropertyDescriptor(controller, method!)!,
    );
  };

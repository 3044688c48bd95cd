import { Param, ParseUUIDPipe } from '@nestjs/common';
import { invalid } from '../platform/platform.failures';
import { FailureException } from './failure-status';

/** A path parameter that is an id; anything else is a VALIDATION_ERROR. */
export const IdParam = (name: string) =>
  Param(name, new ParseUUIDPipe({ exceptionFactory: () => new FailureException(invalid({ [name]: ['must be a UUID'] })) }));

import { ValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { invalid } from '../platform/platform.failures';
import { FailureException } from './failure-status';

/** Turns bodies, queries and parameters into checked objects; unknown properties are dropped (contract section 1). */
export class RequestValidation extends ValidationPipe {
  constructor() {
    super({
      whitelist: true,
      transform: true,
      stopAtFirstError: true, // one reason a field; the next when that is mended
      exceptionFactory: (errors) => new FailureException(invalid(detailsOf(errors))),
    });
  }

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'body' && (Array.isArray(value) || (value !== undefined && (typeof value !== 'object' || value === null)))) {
      return Promise.reject(new FailureException(invalid({ body: ['must be a JSON object'] })));
    }
    return super.transform(value, metadata) as Promise<unknown>;
  }
}

/** Field name to messages; a nested field as `a.b`, an array item as `permissions.0`. */
export function detailsOf(errors: readonly ValidationError[], parent = ''): Record<string, string[]> {
  return Object.assign(
    {},
    ...errors.map(({ property, constraints, children }) => ({
      ...(constraints ? { [parent + property]: Object.values(constraints) } : {}),
      ...detailsOf(children ?? [], `${parent}${property}.`),
    })),
  ) as Record<string, string[]>;
}

import type { OpenAPIObject } from '@nestjs/swagger';
import { POSITION_FORM } from '../../platform/database/write-position';
import { isRead, READ_AFTER } from '../requests/read-after';
import { operationsIn } from './openapi-operations';

const PARAMETER = {
  name: READ_AFTER,
  in: 'header' as const,
  description:
    'The greatest X-Read-After of earlier responses, to see what they have written; a malformed one is ignored',
  schema: { type: 'string' as const, pattern: POSITION_FORM.source },
};

/**
 * Adds the header that the service reads from every request that only reads. It is optional, and no
 * value of it is refused. X-Request-Id is in the introduction only: it would be a parameter of
 * every method of a generated client.
 */
export function addRequestHeaders(document: OpenAPIObject): void {
  const components = (document.components ??= {});
  components.parameters = { ...components.parameters, [READ_AFTER]: PARAMETER };
  for (const { method, operation } of operationsIn(document)) {
    if (!isRead({ method: method.toUpperCase() })) continue;
    operation.parameters = [...(operation.parameters ?? []), { $ref: `#/components/parameters/${READ_AFTER}` }];
  }
}

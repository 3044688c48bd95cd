import type { OpenAPIObject } from '@nestjs/swagger';
import { POSITION_FORM } from '../../platform/database/write-position';
import { isRead, READ_AFTER } from '../requests/read-after';
import { REQUEST_ID, SANE_ID } from '../requests/request-id.middleware';
import { operationsIn } from './openapi-operations';

const PARAMETERS = {
  [REQUEST_ID]: {
    name: REQUEST_ID,
    in: 'header' as const,
    description: 'An id of your own, to find the request in the log of the service; a malformed one is replaced',
    schema: { type: 'string' as const, pattern: SANE_ID.source },
  },
  [READ_AFTER]: {
    name: READ_AFTER,
    in: 'header' as const,
    description:
      'The greatest X-Read-After of earlier responses, to see what they have written; a malformed one is ignored',
    schema: { type: 'string' as const, pattern: POSITION_FORM.source },
  },
};

/**
 * Adds the headers that the service reads from every request, or from every one that only reads.
 * They are optional, and no value of them is refused.
 */
export function addRequestHeaders(document: OpenAPIObject): void {
  const components = (document.components ??= {});
  components.parameters = { ...components.parameters, ...PARAMETERS };
  for (const { method, operation } of operationsIn(document)) {
    const names = [REQUEST_ID, ...(isRead({ method: method.toUpperCase() }) ? [READ_AFTER] : [])];
    const references = names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
    operation.parameters = [...(operation.parameters ?? []), ...references];
  }
}

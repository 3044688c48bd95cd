import type { OpenAPIObject } from '@nestjs/swagger';
import { IGNORES_KEY } from '../idempotency/answer-storage.decorator';
import { IDEMPOTENCY_KEY, isWrite, KEY_LENGTHS } from '../idempotency/idempotency-key';
import { operationsIn, takeExtension, type OperationObject, type ReferenceObject } from './openapi-operations';

const PARAMETER = {
  name: IDEMPOTENCY_KEY,
  in: 'header' as const,
  description:
    'A random text, new for each write and the same for its retries. A retry returns the response of the first ' +
    'request, with the header Idempotency-Replayed.',
  schema: { type: 'string' as const, ...KEY_LENGTHS },
};

/** Adds the header Idempotency-Key to the writes that keep their answers. */
export function addIdempotencyKeys(document: OpenAPIObject): void {
  for (const { method, operation } of operationsIn(document)) {
    const isIgnored = takeExtension<true>(operation, IGNORES_KEY);
    if (!isWrite({ method: method.toUpperCase() }) || isIgnored) continue;
    operation.parameters = [...(operation.parameters ?? []), { ...PARAMETER }];
  }
}

const isKey = (parameter: object): boolean =>
  (parameter as ReferenceObject).$ref === `#/components/parameters/${IDEMPOTENCY_KEY}`;

/** Whether an operation has the header, which all of them share. */
export const hasIdempotencyKey = ({ parameters = [] }: Pick<OperationObject, 'parameters'>): boolean =>
  parameters.some(isKey);

/** Whether an operation has any other parameter. */
export const hasOwnParameters = ({ parameters = [] }: Pick<OperationObject, 'parameters'>): boolean =>
  !parameters.every(isKey);

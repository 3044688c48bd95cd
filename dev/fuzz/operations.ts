import type { OpenAPIObject } from '@nestjs/swagger';
import type { Schema } from '../api-document-model';

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema?: Schema;
}

/** One operation of the API document. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** undefined if the operation has no body. */
  readonly body?: Schema;
  /** Whether the operation needs an access token. */
  readonly isGuarded: boolean;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly security?: readonly object[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
}

/** All operations of the API document, in order. */
export function operationsOf(document: OpenAPIObject): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, DocumentedOperation>).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      parameters: (operation.parameters ?? []).map((parameter) => parameterOf(document, parameter)),
      body: operation.requestBody?.content['application/json']?.schema,
      isGuarded: isGuarded(operation.security ?? document.security ?? []),
    })),
  );
}

/** Whether there are security requirements, and none of them is met by everybody. */
const isGuarded = (requirements: readonly object[]) =>
  requirements.length > 0 && requirements.every((requirement) => Object.keys(requirement).length > 0);

function parameterOf({ components }: OpenAPIObject, parameter: Parameter | { readonly $ref: string }): Parameter {
  if (!('$ref' in parameter)) return parameter;
  return components!.parameters![parameter.$ref.split('/').at(-1)!] as Parameter;
}

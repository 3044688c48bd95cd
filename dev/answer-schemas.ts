import type { OpenAPIObject } from '@nestjs/swagger';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';

interface Operation {
  readonly responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

/**
 * Compares JSON answers with the API document: a status, a code or a field that it does not promise
 * is wrong.
 */
export class AnswerSchemas {
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false });
  private readonly compiled = new Map<string, ValidateFunction | undefined>();

  constructor(private readonly document: OpenAPIObject) {}

  /** Whether the document has this operation. @param route with its parameters in braces */
  has(method: string, route: string): boolean {
    return this.operation(method, route) !== undefined;
  }

  /** What is wrong with an answer; undefined when nothing is. */
  wrongIn(method: string, route: string, status: number, body: unknown): string | undefined {
    const key = `${method} ${route} ${status}`;
    if (!this.compiled.has(key)) this.compiled.set(key, this.validatorOf(this.operation(method, route)!, status));
    const validate = this.compiled.get(key);
    if (!validate) return `${key} is not in the document`;
    return validate(body) ? undefined : `${key}: ${this.ajv.errorsText(validate.errors)}`;
  }

  private operation(method: string, route: string): Operation | undefined {
    return (this.document.paths[route] as Record<string, Operation> | undefined)?.[method.toLowerCase()];
  }

  private validatorOf(operation: Operation, status: number): ValidateFunction | undefined {
    const schema = operation.responses[status]?.content?.['application/json']?.schema;
    return schema && this.ajv.compile(closed({ ...schema, components: this.document.components }) as object);
  }
}

/** The same schema, with no fields allowed but those it names. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in copy && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy;
}

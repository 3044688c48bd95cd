import type { OpenAPIObject } from '@nestjs/swagger';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import type { NextFunction, Request, Response } from 'express';

interface Operation {
  readonly responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

/** Compares every JSON answer that the tests cause with the API document: a status or a field that it does not promise is an error. */
export class AnswerCheck {
  readonly violations: string[] = [];
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false });
  private readonly compiled = new Map<string, ValidateFunction | undefined>();

  constructor(private readonly document: OpenAPIObject) {}

  readonly watch = (request: Request, response: Response, next: NextFunction): void => {
    const send = response.json.bind(response);
    response.json = (body: unknown) => {
      this.compare(request, response.statusCode, body);
      return send(body);
    };
    next();
  };

  private compare(request: Request, status: number, body: unknown): void {
    const route = (request.route as { path?: string } | undefined)?.path?.replace(/:(\w+)/g, '{$1}');
    const operation = route && (this.document.paths[route] as Record<string, Operation> | undefined)?.[request.method.toLowerCase()];
    if (!operation) return; // no route, or one that is not part of the API proper
    const key = `${request.method} ${route} ${status}`;
    if (!this.compiled.has(key)) this.compiled.set(key, this.validatorOf(operation, status));
    const validate = this.compiled.get(key);
    if (!validate) this.violations.push(`${key} is not in the document`);
    else if (!validate(JSON.parse(JSON.stringify(body)))) this.violations.push(`${key}: ${this.ajv.errorsText(validate.errors)}`);
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

import type { OpenAPIObject } from '@nestjs/swagger';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { STATUS_BY_CODE } from '../src/http/openapi/openapi-components';
import { errorSchema } from '../src/http/openapi/openapi-schemas';

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
  /** Of a default response: the status of each of its codes. */
  readonly [STATUS_BY_CODE]?: Readonly<Record<string, number>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

/**
 * Compares JSON responses with the API document: a status, a code or a field that it does not
 * promise is wrong.
 */
export class AnswerSchemas {
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false });
  private components?: { readonly schemas: unknown };
  private readonly compiled = new Map<string, ValidateFunction | undefined>();

  constructor(private readonly document: OpenAPIObject) {}

  /** Whether the document has this operation. @param route with its parameters in braces */
  has(method: string, route: string): boolean {
    return this.operation(method, route) !== undefined;
  }

  /** What is wrong with a response; undefined when nothing is. */
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
    const schema = this.schemaOf(operation, status);
    this.components ??= { schemas: openSchemas(this.document) };
    return schema && this.ajv.compile({ ...(closed(schema) as object), components: this.components });
  }

  private schemaOf({ responses }: Operation, status: number): object | undefined {
    const own = this.resolved(responses[status]);
    if (own) return own.content?.['application/json']?.schema;
    const any = this.resolved(responses.default);
    const codes = Object.entries(any?.[STATUS_BY_CODE] ?? {}).flatMap(([code, its]) => (its === status ? [code] : []));
    return codes.length > 0 ? errorSchema(codes) : undefined;
  }

  private resolved(response: Response | { readonly $ref: string } | undefined): Response | undefined {
    if (!response || !('$ref' in response)) return response;
    return this.document.components?.responses?.[response.$ref.split('/').at(-1)!] as Response | undefined;
  }
}

/** The schemas behind references: only their parts are closed, because a schema may extend them. */
const openSchemas = ({ components }: OpenAPIObject) =>
  Object.fromEntries(Object.entries(components?.schemas ?? {}).map(([name, its]) => [name, withClosedParts(its)]));

/** The same schema, where objects have no other properties than those it names. */
function closed(schema: unknown): unknown {
  const copy = withClosedParts(schema);
  return isObject(copy) && isComplete(copy) ? { ...copy, unevaluatedProperties: false } : copy;
}

/** Whether a schema names all properties of an object. One without a type narrows another one. */
const isComplete = (schema: { readonly type?: unknown }): boolean =>
  '$ref' in schema || 'allOf' in schema || (schema.type === 'object' && 'properties' in schema);

/** Parts of `allOf` stay open: they describe one object together. */
function withClosedParts(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === 'allOf' ? (value as unknown[]).map(withClosedParts) : closed(value),
    ]),
  );
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

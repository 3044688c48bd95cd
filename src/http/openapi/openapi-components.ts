import { PlatformFailures } from '../../platform/platform.failures';
import type { Failure } from '../../platform/result';
import { HTTP_STATUS } from '../responses/http-status';
import { headersOf, variantName } from './openapi-headers';
import type { ComponentsObject, ReferenceObject, ResponseObject, SchemaObject } from './openapi-operations';
import type { SuccessSpec } from './openapi-responses.decorator';
import { SHARED_HEADERS, type HeaderName } from './shared-headers';
import {
  EMPTY,
  ENVELOPE_SCHEMAS,
  errorExample,
  errorSchema,
  pageSchema,
  schemaRef,
  successSchema,
} from './openapi-schemas';

/** Extension of a default response: the status of each of its codes. */
export const STATUS_BY_CODE = 'x-status-by-code';
/** Other failures have the same codes, with a message about one kind of resource. */
const GENERAL: readonly Failure[] = Object.values(PlatformFailures);
/** Failures that always occur together with another one, which names their response. */
const TOGETHER: Readonly<Record<string, string>> = {
  ACCESS_TOKEN_EXPIRED: 'UNAUTHENTICATED',
  SESSION_ENDED: 'UNAUTHENTICATED',
  API_KEY_REVOKED: 'API_KEY_EXPIRED',
  ADDRESS_NOT_ALLOWED: 'FORBIDDEN',
  SECOND_FACTOR_REQUIRED: 'FORBIDDEN',
  SIGN_IN_METHOD_NOT_ALLOWED: 'FORBIDDEN',
};
/** A failure of every write with an Idempotency-Key, whose responses have a name of their own. */
const OF_KEYED_WRITES = 'IDEMPOTENCY_IN_PROGRESS';

/**
 * The responses, headers and schemas that operations share. Each method adds what is missing to the
 * components of a document and returns a reference to it.
 */
export class SharedComponents {
  private readonly schemas: Record<string, SchemaObject | ReferenceObject>;
  private readonly responses: Record<string, ResponseObject | ReferenceObject>;

  constructor(components: ComponentsObject) {
    this.schemas = Object.assign((components.schemas ??= {}), ENVELOPE_SCHEMAS);
    this.responses = components.responses ??= {};
    components.headers = SHARED_HEADERS;
  }

  /** The response with a view, a page of views, or null in `data`. */
  success({ view, list }: SuccessSpec, headers: readonly HeaderName[]): ReferenceObject {
    const name = view === null ? 'Empty' : `${view.replace(/View$/, '')}${list ? 'Page' : ''}`;
    return this.response(variantName(`${name}Ok`, headers), headers, () => {
      if (view !== null && list) this.schemas[name] ??= pageSchema(view);
      const schema = successSchema(view === null ? EMPTY : schemaRef(list ? name : view));
      return { description: 'Success', ...json(schema) };
    });
  }

  /** The response of failures with the same status. Its description lists their codes. */
  failure(failures: readonly Failure[], headers: readonly HeaderName[]): ReferenceObject {
    const sorted = failures.toSorted((one, other) => (one.code < other.code ? -1 : 1));
    const example = GENERAL.find(({ code }) => code === sorted[0].code) ?? sorted[0];
    const codes = sorted.map(({ code }) => code);
    const named = codes.filter((code) => code !== OF_KEYED_WRITES && !codes.includes(TOGETHER[code]));
    return this.response(variantName(named.map(pascalCase).join('Or'), headers), headers, () => ({
      description: codes.join(', '),
      ...json(errorSchema(codes), { example: errorExample(example) }),
    }));
  }

  /** The default response: failures with several statuses. */
  defaultFailure(name: string, failures: readonly Failure[], headers: readonly HeaderName[]): ReferenceObject {
    return this.response(name, headers, () => ({
      description: failures.map(({ code, kind }) => `${code} (${HTTP_STATUS[kind]})`).join(', '),
      ...json(errorSchema(failures.map(({ code }) => code)), {
        examples: Object.fromEntries(failures.map((failure) => [failure.code, { value: errorExample(failure) }])),
      }),
      [STATUS_BY_CODE]: Object.fromEntries(failures.map(({ code, kind }) => [code, HTTP_STATUS[kind]])),
    }));
  }

  private response(name: string, headers: readonly HeaderName[], create: () => ResponseObject): ReferenceObject {
    this.responses[name] ??= { ...create(), headers: headersOf(headers) };
    return { $ref: `#/components/responses/${name}` };
  }
}

const json = (schema: SchemaObject, examples: object = {}) => ({
  content: { 'application/json': { schema, ...examples } },
});

const pascalCase = (code: string) =>
  code.replace(/([A-Z])([A-Z]*)_?/g, (_match, first: string, rest: string) => first + rest.toLowerCase());

import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import {
  ApiExtension,
  ApiExtraModels,
  ApiOperation,
  ApiResponse,
  getSchemaPath,
  type OpenAPIObject,
} from '@nestjs/swagger';
import type { Failure } from '../../platform/result';
import { HTTP_STATUS } from '../responses/http-status';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type SchemaObject = Exclude<Schemas[string], { $ref: string }>;

/** Names the codes that a redirect may carry, in the API document. */
export const REDIRECT_ERROR_CODES = 'x-redirect-error-codes';

/** What a route can answer, for the API document and for the status of its success. */
export interface ResponseSpec {
  readonly summary: string;
  readonly description?: string;
  /**
   * The view in `data`; null when there is nothing to return; left out where every success is a
   * redirect.
   */
  readonly data?: Type | null;
  /** `data` is a page of the view. */
  readonly list?: boolean;
  /** Status of the success, 200 unless told. */
  readonly status?: 200 | 201;
  /** Where a browser is sent instead, if it is. */
  readonly redirects?: string;
  /** What the browser that is sent on may be told in the fragment, as `#error=`. */
  readonly redirectFailures?: readonly Failure[];
  /**
   * What this operation itself may refuse. What every route may (401, 429, 500 …) is added to the
   * document by `openapi.ts`.
   */
  readonly failures?: readonly Failure[];
}

/** Declares an operation's answers. */
export function Responds({
  summary,
  description,
  data,
  list,
  status = 200,
  redirects,
  redirectFailures = [],
  failures = [],
}: ResponseSpec): MethodDecorator {
  const model = data && { $ref: getSchemaPath(data) };
  const dataSchema = !model ? { type: 'null', description: 'Nothing to return' } : list ? pageSchema(model) : model;
  return applyDecorators(
    ApiOperation({ summary, description }),
    ...(data ? [ApiExtraModels(data)] : []),
    ...(status === 200 ? [] : [HttpCode(status)]),
    ...(data === undefined
      ? []
      : [
          ApiResponse({
            status,
            description: 'Success',
            content: { 'application/json': { schema: successSchema(dataSchema as SchemaObject) } },
          }),
        ]),
    ...(redirects
      ? [ApiResponse({ status: 302, description: redirects, headers: { Location: { schema: { type: 'string' } } } })]
      : []),
    ...(redirectFailures.length > 0
      ? [
          ApiExtension(
            REDIRECT_ERROR_CODES,
            redirectFailures.map(({ code }) => code),
          ),
        ]
      : []),
    ...[...groupByStatus(failures)].map(([failureStatus, codes]) =>
      ApiResponse({ status: failureStatus, ...failureResponse(codes) }),
    ),
  );
}

const successSchema = (data: SchemaObject): SchemaObject => ({
  type: 'object',
  required: ['success', 'data'],
  properties: { success: { type: 'boolean', enum: [true] }, data },
});

const pageSchema = (items: { $ref: string }): SchemaObject => ({
  type: 'object',
  required: ['items', 'nextCursor'],
  properties: {
    items: { type: 'array', items },
    nextCursor: {
      type: ['string', 'null'] as never,
      description: 'Give it as cursor to read on; null on the last page',
    },
  },
});

/** The body of a refusal with one of these codes. */
export function failureResponse(codes: readonly string[]) {
  const details = {
    type: 'object',
    description: 'Field name to messages',
    additionalProperties: { type: 'array', items: { type: 'string' } },
  };
  const schema = {
    type: 'object',
    required: ['success', 'error'],
    properties: {
      success: { type: 'boolean', enum: [false] },
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', enum: [...codes] },
          message: { type: 'string' },
          ...(codes.includes('VALIDATION_ERROR') ? { details } : {}),
        },
      },
    },
  } as SchemaObject;
  return { description: codes.join(', '), content: { 'application/json': { schema } } };
}

function groupByStatus(failures: readonly Failure[]): Map<number, string[]> {
  const byStatus = new Map<number, string[]>();
  for (const { kind, code } of failures)
    byStatus.set(HTTP_STATUS[kind], [...(byStatus.get(HTTP_STATUS[kind]) ?? []), code]);
  return byStatus;
}

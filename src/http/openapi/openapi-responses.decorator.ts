import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiOperation, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { Failure } from '../../platform/result';
import type { ResponseDecorator } from './response-types';
import { refersTo } from './shared-headers';

/** Extension of an operation that lists the error codes its redirect can carry. */
export const REDIRECT_ERROR_CODES = 'x-redirect-error-codes';
/** Extensions that carry declarations to the document; it replaces them by responses. */
export const SUCCESS = 'x-success';
export const FAILURES = 'x-failures';
export const GUARD_FAILURES = 'x-guard-failures';

/** Extension of an operation until the document is written: its successes set a cookie. */
export const SETS_COOKIE = 'x-sets-cookie';

const LOCATION = { Location: refersTo('Location') };

/** The responses of a route, for the API document and for the status of its success. */
export interface ResponseSpec {
  readonly summary: string;
  readonly description?: string;
  /** The view in `data`; null for an empty success; left out where every success is a redirect. */
  readonly data?: Type | null;
  /** `data` is a page of the view. */
  readonly list?: boolean;
  /** Status of the success, by default 200. */
  readonly status?: 200 | 201;
  /** Description of the 302 response, for a route that redirects. */
  readonly redirects?: string;
  /** Failures that the redirect reports in the fragment, as `#error=CODE`. */
  readonly redirectFailures?: readonly Failure[];
  /**
   * Failures of this operation. Those that every route shares (401, 429, 500, …) are added by
   * `openapi-failures.ts`.
   */
  readonly failures?: readonly Failure[];
}

/** The success of a route, as its decorator declares it. */
export interface SuccessSpec {
  readonly status: number;
  /** Name of the view's schema; null for an empty success. */
  readonly view: string | null;
  readonly list: boolean;
}

/**
 * Declares the summary and the responses of a route. Does not compile if the method returns another
 * view, a failure that is not declared, or too few of the declared ones (`response-types.ts`).
 */
export function Responds<const S extends ResponseSpec>(spec: S): ResponseDecorator<S> {
  const { summary, description, data, list = false, status = 200, redirects, redirectFailures = [], failures } = spec;
  const success: SuccessSpec = { status, view: data ? getSchemaPath(data).split('/').at(-1)! : null, list };
  const decorate = applyDecorators(
    ApiOperation({ summary, description }),
    ...(data ? [ApiExtraModels(data)] : []),
    ...(status === 200 ? [] : [HttpCode(status)]),
    ...(data === undefined ? [] : [ApiResponse({ status, description: 'Success' }), ApiExtension(SUCCESS, success)]),
    ...(redirects ? [ApiResponse({ status: 302, description: redirects, headers: LOCATION })] : []),
    ...(redirectFailures.length > 0
      ? [
          ApiExtension(
            REDIRECT_ERROR_CODES,
            redirectFailures.map(({ code }) => code),
          ),
        ]
      : []),
    ...(failures ? [ApiExtension(FAILURES, failures)] : []),
  );
  return (target, key, descriptor) => decorate(target, key, descriptor);
}

/** Declares the failures of a guard on its routes, beside those of `Responds`. */
export const GuardFailures = (...failures: readonly Failure[]) => ApiExtension(GUARD_FAILURES, failures);

/** Declares that a success of the route, or its redirect, sets or clears a cookie. */
export const SetsCookie = () => ApiExtension(SETS_COOKIE, true);

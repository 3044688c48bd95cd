import type { INestApplication } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { AnswerHeaders } from '../../dev/response-headers';
import { AnswerSchemas } from '../../dev/response-schemas';
import type { Settings } from '../../src/config/settings';
import { openApiDocument } from '../../src/http/openapi/openapi-document';

/** Of a web client, or of a named session. */
const REFRESH_COOKIE = /\brefresh_token(_\w+)?=/;

/** What a document promises about responses. */
interface Promises {
  readonly schemas: AnswerSchemas;
  readonly headers: AnswerHeaders;
}

/** By the address of the service. Without controllers of a test, instances have one document. */
const known = new Map<string, Promises>();

/**
 * What the document of an instance promises.
 * @param hasOwnRoutes whether the test adds controllers, so that the document is its own
 */
export function promisesOf(app: INestApplication, settings: Settings, hasOwnRoutes: boolean): Promises {
  const found = hasOwnRoutes ? undefined : known.get(settings.baseUrl);
  if (found) return found;
  const document = openApiDocument(app, settings);
  const promises = { schemas: new AnswerSchemas(document), headers: new AnswerHeaders(document) };
  if (!hasOwnRoutes) known.set(settings.baseUrl, promises);
  return promises;
}

/**
 * Checks every response of the tests against the API document: the body of a JSON response, and the
 * headers of any. An undocumented status, field or header is an error, and so is a refresh token
 * without its cookie (docs/contract.md, Accounts and sessions).
 */
export class AnswerCheck {
  readonly violations: string[] = [];

  constructor(private readonly promises: Promises) {}

  readonly watch = (request: Request, response: Response, next: NextFunction): void => {
    const send = response.send.bind(response);
    response.send = (body: unknown) => {
      const isJson = String(response.getHeader('Content-Type')).startsWith('application/json');
      if (isJson && typeof body === 'string') this.compare(request, response, JSON.parse(body));
      return send(body);
    };
    response.once('finish', () => this.compareHeaders(request, response));
    next();
  };

  private compare(request: Request, response: Response, body: unknown): void {
    const route = this.routeOf(request);
    if (route === undefined) return;
    const wrong = this.promises.schemas.wrongIn(request.method, route, response.statusCode, body);
    if (wrong) this.violations.push(wrong);
    if (hasRefreshToken(body) && !REFRESH_COOKIE.test(String(response.getHeader('Set-Cookie'))))
      this.violations.push(`${request.method} ${route} returned a refresh token without its cookie`);
  }

  private compareHeaders(request: Request, response: Response): void {
    const route = this.routeOf(request);
    if (route === undefined) return;
    this.violations.push(
      ...this.promises.headers.wrongIn(request.method, route, response.statusCode, response.getHeaders()),
    );
  }

  /** Undefined for an unknown path, or a route outside the API document. */
  private routeOf({ method, route }: Request): string | undefined {
    const path = (route as { path?: string } | undefined)?.path?.replace(/:(\w+)/g, '{$1}');
    return path !== undefined && this.promises.schemas.has(method, path) ? path : undefined;
  }
}

function hasRefreshToken(body: unknown): boolean {
  const { data } = body as { readonly data?: { readonly refreshToken?: unknown } | null };
  return typeof data?.refreshToken === 'string';
}

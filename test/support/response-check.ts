import type { OpenAPIObject } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { AnswerHeaders } from '../../dev/response-headers';
import { AnswerSchemas } from '../../dev/response-schemas';

/** Of a web client, or of a named session. */
const REFRESH_COOKIE = /\brefresh_token(_\w+)?=/;

/** Almost all instances of a group of files have the same document. */
const known = new Map<string, { readonly schemas: AnswerSchemas; readonly headers: AnswerHeaders }>();

function compiled(document: OpenAPIObject) {
  const text = JSON.stringify(document);
  const checks = known.get(text) ?? { schemas: new AnswerSchemas(document), headers: new AnswerHeaders(document) };
  known.set(text, checks);
  return checks;
}

/**
 * Checks every response of the tests against the API document: the body of a JSON response, and the
 * headers of any. An undocumented status, field or header is an error, and so is a refresh token
 * without its cookie (docs/contract.md, Accounts and sessions).
 */
export class AnswerCheck {
  readonly violations: string[] = [];
  private readonly schemas: AnswerSchemas;
  private readonly headers: AnswerHeaders;

  constructor(document: OpenAPIObject) {
    ({ schemas: this.schemas, headers: this.headers } = compiled(document));
  }

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
    const wrong = this.schemas.wrongIn(request.method, route, response.statusCode, body);
    if (wrong) this.violations.push(wrong);
    if (hasRefreshToken(body) && !REFRESH_COOKIE.test(String(response.getHeader('Set-Cookie'))))
      this.violations.push(`${request.method} ${route} returned a refresh token without its cookie`);
  }

  private compareHeaders(request: Request, response: Response): void {
    const route = this.routeOf(request);
    if (route === undefined) return;
    this.violations.push(...this.headers.wrongIn(request.method, route, response.statusCode, response.getHeaders()));
  }

  /** Undefined for an unknown path, or a route outside the API document. */
  private routeOf({ method, route }: Request): string | undefined {
    const path = (route as { path?: string } | undefined)?.path?.replace(/:(\w+)/g, '{$1}');
    return path !== undefined && this.schemas.has(method, path) ? path : undefined;
  }
}

function hasRefreshToken(body: unknown): boolean {
  const { data } = body as { readonly data?: { readonly refreshToken?: unknown } | null };
  return typeof data?.refreshToken === 'string';
}

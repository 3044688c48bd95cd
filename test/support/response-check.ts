import type { OpenAPIObject } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { AnswerSchemas } from '../../dev/response-schemas';

/**
 * Checks every JSON response of the tests against the API document. An undocumented status or field
 * is an error.
 */
export class AnswerCheck {
  readonly violations: string[] = [];
  private readonly schemas: AnswerSchemas;

  constructor(document: OpenAPIObject) {
    this.schemas = new AnswerSchemas(document);
  }

  readonly watch = (request: Request, response: Response, next: NextFunction): void => {
    const send = response.send.bind(response);
    response.send = (body: unknown) => {
      const isJson = String(response.getHeader('Content-Type')).startsWith('application/json');
      if (isJson && typeof body === 'string') this.compare(request, response.statusCode, JSON.parse(body));
      return send(body);
    };
    next();
  };

  private compare(request: Request, status: number, body: unknown): void {
    const route = (request.route as { path?: string } | undefined)?.path?.replace(/:(\w+)/g, '{$1}');
    // an unknown path, or a route outside the API document
    if (!route || !this.schemas.has(request.method, route)) return;
    const wrong = this.schemas.wrongIn(request.method, route, status, body);
    if (wrong) this.violations.push(wrong);
  }
}

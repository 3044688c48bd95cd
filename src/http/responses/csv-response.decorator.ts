import {
  applyDecorators,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ExportLimit } from './export-limit';
import type { SchemaObject } from '../openapi/openapi-operations';
import { refersTo } from '../openapi/shared-headers';
import { FailureException } from './http-status';

const FILE_HEADERS = { 'Content-Disposition': refersTo('Content-Disposition') };

/** By whom exports are limited. */
const ExportParty = Reflector.createDecorator<'tenant' | 'operator' | 'user'>();

/** Refuses an export beyond the limits before anything is read or recorded. */
@Injectable()
export class ExportInterceptor implements NestInterceptor {
  constructor(
    private readonly exportLimit: ExportLimit,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>) {
    const { identity } = context.switchToHttp().getRequest<Request>();
    if (!identity?.ok) throw new Error('An export requires a route with authentication.');
    const actor = identity.value;
    const party = this.reflector.get(ExportParty, context.getHandler());
    const id = party === 'tenant' ? actor.tenantId : actor.userId;
    const begun = this.exportLimit.begin(actor, `${party} ${id}`, context.switchToHttp().getResponse<Response>());
    if (!begun.ok) throw new FailureException(begun.failure);
    return next.handle();
  }
}

/**
 * Declares that a route answers with a CSV file; used beside `Responds`. Beyond the exports that
 * may run at a time it answers 429 RATE_LIMITED (docs/contract.md, CSV files).
 * @param party whose exports are counted together
 */
export const CsvResponse = (party: 'tenant' | 'operator') =>
  applyDecorators(
    ExportParty(party),
    UseInterceptors(ExportInterceptor),
    ApiResponse({
      status: 200,
      description: 'A CSV file',
      headers: FILE_HEADERS,
      content: { 'text/csv': { schema: { type: 'string' } } },
    }),
  );

/**
 * Declares that a route answers with a JSON file without an envelope; used beside `Responds`. It is
 * limited in the same way, for each user.
 * @param schema what the file contains
 */
export const JsonFileResponse = (schema: SchemaObject) =>
  applyDecorators(
    ExportParty('user'),
    UseInterceptors(ExportInterceptor),
    ApiResponse({
      status: 200,
      description: 'A JSON file',
      headers: FILE_HEADERS,
      content: { 'application/json': { schema } },
    }),
  );

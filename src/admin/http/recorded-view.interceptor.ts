import {
  applyDecorators,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import type { Request } from 'express';
import { mergeMap } from 'rxjs';
import { declaredNames } from '../../http/validation/request-validation.pipe';
import { Err } from '../../platform/result';
import { RecordView } from '../commands/record-view';

interface View {
  readonly type: string;
  readonly query?: Type;
}

const Viewed = Reflector.createDecorator<View>();

/**
 * Records a view before the response is sent: without an audit entry nothing is shown. A refused
 * request shows nothing and is not recorded.
 */
@Injectable()
export class ViewRecorder implements NestInterceptor {
  constructor(
    private readonly commands: CommandBus,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>) {
    return next.handle().pipe(
      mergeMap(async (outcome) => {
        if (!(outcome instanceof Err)) await this.record(context);
        return outcome;
      }),
    );
  }

  private async record(context: ExecutionContext): Promise<void> {
    const { identity, params, query } = context.switchToHttp().getRequest<Request>();
    if (!identity?.ok) throw new Error('@RecordedView requires a route with authentication.');
    const { userId, impersonatorId } = identity.value;
    const { type, query: declaring } = this.reflector.get(Viewed, context.getHandler());
    const names = declaring
      ? declaredNames(declaring).filter((name) => name !== 'cursor' && Object.hasOwn(query, name))
      : [];
    const filters = Object.fromEntries(names.map((name) => [name, query[name]]));
    await this.commands.execute(
      new RecordView({ userId, impersonatorId }, { type, id: String(params.id ?? 'list') }, filters),
    );
  }
}

/**
 * Records every successful response of the route as `admin.viewed` in the audit log.
 * @param type the target type of the entry
 * @param query the class of the query parameters; they are stored with the entry, except the
 * cursor
 */
export const RecordedView = (type: string, query?: Type) =>
  applyDecorators(Viewed({ type, query }), UseInterceptors(ViewRecorder));

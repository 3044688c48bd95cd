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
 * Records the view before anything is shown: what cannot be recorded is not shown. A refusal shows
 * nothing, and is not recorded.
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
    if (!identity?.ok) throw new Error('A view is recorded on a route that is open to anyone.');
    const { userId, impersonatorId } = identity.value;
    const { type, query: declaring } = this.reflector.get(Viewed, context.getHandler());
    const names = declaring
      ? declaredNames(declaring).filter((name) => name !== 'cursor' && Object.hasOwn(query, name))
      : [];
    const asked = Object.fromEntries(names.map((name) => [name, query[name]]));
    await this.commands.execute(
      new RecordView({ userId, impersonatorId }, { type, id: String(params.id ?? 'list') }, asked),
    );
  }
}

/**
 * Every answer of the route leaves an entry `admin.viewed` in the audit log.
 * @param type  what is looked at, as the entry's target says it
 * @param query the class of the route's query: what it declares is kept, the cursor aside
 */
export const RecordedView = (type: string, query?: Type) =>
  applyDecorators(Viewed({ type, query }), UseInterceptors(ViewRecorder));

import { applyDecorators, Injectable, UseInterceptors, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { RecordView } from '../commands/record-view';

const Viewed = Reflector.createDecorator<string>();

/** Records the view before anything is shown: what cannot be recorded is not shown. */
@Injectable()
export class ViewRecorder implements NestInterceptor {
  constructor(
    private readonly commands: CommandBus,
    private readonly reflector: Reflector,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    const { identity, params, query } = context.switchToHttp().getRequest<Request>();
    if (!identity?.ok) throw new Error('A view is recorded on a route that is open to anyone.');
    const { userId, impersonatorId } = identity.value;
    const type = this.reflector.get(Viewed, context.getHandler());
    const asked = Object.fromEntries(Object.entries(query).filter(([name]) => name !== 'cursor'));
    await this.commands.execute(new RecordView({ userId, impersonatorId }, { type, id: String(params.id ?? 'list') }, asked));
    return next.handle();
  }
}

/** Every use of the route leaves an entry `admin.viewed` in the audit log. @param type what is looked at, as the entry's target says it */
export const RecordedView = (type: string) => applyDecorators(Viewed(type), UseInterceptors(ViewRecorder));

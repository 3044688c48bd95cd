import { CONTROLLER_WATERMARK, INJECTABLE_WATERMARK } from '@nestjs/common/constants';
import { COMMAND_HANDLER_METADATA, QUERY_HANDLER_METADATA } from '@nestjs/cqrs/dist/decorators/constants';
import type { AnyClass } from './any-class';

/** The message that a class handles, or undefined when it is no handler. */
export const handledBy = (handler: AnyClass): AnyClass | undefined =>
  (Reflect.getMetadata(COMMAND_HANDLER_METADATA, handler) ?? Reflect.getMetadata(QUERY_HANDLER_METADATA, handler)) as
    AnyClass | undefined;

/** Whether a class is marked `@Controller`. */
export const isController = (value: AnyClass): boolean => Reflect.hasOwnMetadata(CONTROLLER_WATERMARK, value);

/** Whether a class is marked as a handler or `@Injectable`. */
export const isProvider = (value: AnyClass): boolean =>
  Reflect.hasOwnMetadata(INJECTABLE_WATERMARK, value) || handledBy(value) !== undefined;

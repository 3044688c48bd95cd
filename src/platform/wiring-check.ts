import type { INestApplication } from '@nestjs/common';
import { CONTROLLER_WATERMARK, INJECTABLE_WATERMARK } from '@nestjs/common/constants';
import { ModulesContainer } from '@nestjs/core';
import { Command, Query } from '@nestjs/cqrs';
import { COMMAND_HANDLER_METADATA, QUERY_HANDLER_METADATA } from '@nestjs/cqrs/dist/decorators/constants';
import type { AnyClass } from './any-class';
import { jobMistakes } from './jobs/job-check';
import { scheduleMistakes } from './jobs/schedule-check';

/**
 * Requires that each message has one handler, that each injectable class is provided, and that the
 * jobs and schedules are well declared. NestJS reports a message without a handler only when it is
 * sent, and never a listener that no module provides.
 * @param declared the classes of the source
 * @throws at start, with one line for each mistake
 */
export function refuseWiringMistakes(app: INestApplication, declared: readonly AnyClass[]): void {
  const provided = providedClasses(app);
  const handled = [...provided].map(handledBy).filter((message) => message !== undefined);
  const classes = [...new Set([...declared, ...provided, ...handled])];
  const mistakes = [
    ...unprovided(classes, provided),
    ...unhandled(classes),
    ...jobMistakes(classes),
    ...scheduleMistakes(classes),
  ];
  if (mistakes.length > 0) throw new Error(`The service does not start:\n${mistakes.join('\n')}`);
}

/** The classes that are a token or an implementation in any module. */
function providedClasses(app: INestApplication): Set<AnyClass> {
  const wrappers = [...app.get(ModulesContainer).values()].flatMap(({ providers, controllers, injectables }) =>
    [providers, controllers, injectables].flatMap((part) => [...part.values()]),
  );
  return new Set(
    wrappers
      .flatMap(({ token, metatype }) => [token, metatype])
      .filter((value): value is AnyClass => typeof value === 'function' && value.prototype !== undefined),
  );
}

const handledBy = (handler: AnyClass): AnyClass | undefined =>
  (Reflect.getMetadata(COMMAND_HANDLER_METADATA, handler) ?? Reflect.getMetadata(QUERY_HANDLER_METADATA, handler)) as
    AnyClass | undefined;

function unprovided(classes: readonly AnyClass[], provided: ReadonlySet<AnyClass>): string[] {
  const isMarked = (value: AnyClass) =>
    [INJECTABLE_WATERMARK, CONTROLLER_WATERMARK].some((mark) => Reflect.hasOwnMetadata(mark, value)) ||
    handledBy(value) !== undefined;
  return classes
    .filter((value) => isMarked(value) && !provided.has(value))
    .map(({ name }) => `${name} is provided by no module. Add it to the providers or controllers of its module.`);
}

function unhandled(classes: readonly AnyClass[]): string[] {
  return classes
    .filter(({ prototype }) => prototype instanceof Command || prototype instanceof Query)
    .flatMap((message) => {
      const handlers = classes.filter((value) => handledBy(value) === message).map(({ name }) => name);
      if (handlers.length === 1) return [];
      return handlers.length === 0
        ? [`${message.name} has no handler. Write one and add it to the providers of its module.`]
        : [`${message.name} has several handlers: ${handlers.join(', ')}. Keep one.`];
    });
}

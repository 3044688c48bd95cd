import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { Command, Query } from '@nestjs/cqrs';
import type { AnyClass } from './any-class';
import { eventMistakes } from './audit-actions';
import { handledBy, isController, isProvider } from './class-roles';
import { jobMistakes } from './jobs/job-check';
import { scheduleMistakes } from './jobs/schedule-check';

/** The methods of a provider that NestJS calls at start and shutdown. */
const HOOKS = [
  'onModuleInit',
  'onApplicationBootstrap',
  'onModuleDestroy',
  'beforeApplicationShutdown',
  'onApplicationShutdown',
];

/**
 * Requires that each message has one handler, that each injectable class is provided by one module,
 * and that the events, jobs and schedules are well declared. NestJS reports a message without a
 * handler only when it is sent, and never a listener that no module provides.
 * @param declared the classes of the source
 * @throws at start, with one line for each mistake
 */
export function refuseWiringMistakes(app: INestApplication, declared: readonly AnyClass[]): void {
  const provided = providedClasses(app);
  const handled = [...provided].map(handledBy).filter((message) => message !== undefined);
  const classes = [...new Set([...declared, ...provided, ...handled])];
  const mistakes = [
    ...unprovided(classes, provided),
    ...unmarked(classes, provided),
    ...repeated(app, declared),
    ...unhandled(classes),
    ...eventMistakes(classes),
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

function unprovided(classes: readonly AnyClass[], provided: ReadonlySet<AnyClass>): string[] {
  return classes
    .filter((value) => (isProvider(value) || isController(value)) && !provided.has(value))
    .map(({ name }) => `${name} is provided by no module. Move it into a folder of its module.`);
}

/** Listeners and others with a hook that are not found, because they lack the decorator. */
function unmarked(classes: readonly AnyClass[], provided: ReadonlySet<AnyClass>): string[] {
  const isBase = (value: AnyClass) => [...provided].some(({ prototype }) => prototype instanceof value);
  return classes
    .filter((value) => HOOKS.some((hook) => Object.hasOwn(value.prototype as object, hook)))
    .filter((value) => !isProvider(value) && !provided.has(value) && !isBase(value))
    .map(({ name }) => `${name} would never be started. Mark it @Injectable().`);
}

/** Classes that several modules provide, each with an instance of its own. */
function repeated(app: INestApplication, declared: readonly AnyClass[]): string[] {
  const modules = [...app.get(ModulesContainer).values()];
  return declared.flatMap((value) => {
    const names = modules.filter(({ providers }) => providers.has(value)).map(({ metatype }) => metatype.name);
    return names.length > 1
      ? [`${value.name} is provided by several modules: ${names.join(', ')}. Import the module that exports it.`]
      : [];
  });
}

function unhandled(classes: readonly AnyClass[]): string[] {
  const allHandlers = classes.map((value) => ({ name: value.name, handles: handledBy(value) }));
  return classes
    .filter(({ prototype }) => prototype instanceof Command || prototype instanceof Query)
    .flatMap((message) => {
      const handlers = allHandlers.filter(({ handles }) => handles === message).map(({ name }) => name);
      if (handlers.length === 1) return [];
      return handlers.length === 0
        ? [`${message.name} has no handler. Write one in a folder of its module, and export it.`]
        : [`${message.name} has several handlers: ${handlers.join(', ')}. Keep one.`];
    });
}
